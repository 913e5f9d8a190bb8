import { execFileSync } from "node:child_process"
import { createHash, randomUUID } from "node:crypto"
import { accessSync, constants, existsSync, mkdirSync, renameSync, rmSync } from "node:fs"
import { delimiter, join, resolve } from "node:path"

const root = resolve(import.meta.dirname, "../../../..")

/** Where clips stay. Every worker has the same ones. */
const folder = join(root, ".cache/clips")

/**
 * The ffmpeg that makes clips: the packaged one, so that they are the same whatever is installed. On machines that no package
 * is for, the one of `KINORA_FFMPEG_PATH` or the first on the PATH.
 */
export const fixtureFfmpeg: string = [
  join(root, `node_modules/@ffmpeg-binary/${process.platform}-${process.arch}/ffmpeg`),
  process.env["KINORA_FFMPEG_PATH"] ?? "",
  ...(process.env["PATH"] ?? "").split(delimiter).map((part) => join(part, "ffmpeg"))
].find((path) => {
  try {
    accessSync(path, constants.X_OK)
    return path !== ""
  } catch {
    return false
  }
})!

let version: string | undefined
const ffmpegVersion = () =>
  (version ??= execFileSync(fixtureFfmpeg, ["-version"], { encoding: "utf8" }).split("\n", 1)[0]!)

/** The place of what these arguments make: other arguments or another ffmpeg have another one. */
const placeOf = (args: ReadonlyArray<string>): string => {
  const words = [ffmpegVersion(), ...args].join("\n").replaceAll(root, "")
  return createHash("sha256").update(words).digest("hex").slice(0, 16)
}

const run = (args: ReadonlyArray<string>, cwd: string): void =>
  void execFileSync(fixtureFfmpeg, ["-nostdin", "-hide_banner", "-loglevel", "error", "-y", ...args], {
    cwd,
    stdio: ["ignore", "ignore", "inherit"]
  })

/** Makes something under a name of its own and moves it to its place, unless another worker was faster. */
const once = (place: string, make: (draft: string) => void): string => {
  if (existsSync(place)) return place
  mkdirSync(folder, { recursive: true })
  const draft = join(folder, `.${randomUUID()}-${place.slice(place.lastIndexOf("/") + 1)}`)
  try {
    make(draft)
    if (!existsSync(place)) renameSync(draft, place)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  return place
}

/** A clip of these arguments, which come before the output file; made once. `name` has the extension. */
export const cachedClip = (name: string, args: ReadonlyArray<string>): string =>
  once(join(folder, `${placeOf(args)}-${name}`), (draft) => run([...args, draft], root))

/** A folder in which ffmpeg wrote the outputs that these arguments name; made once, and not to be written to. */
export const cachedFolder = (name: string, args: ReadonlyArray<string>): string =>
  once(join(folder, `${placeOf(args)}-${name}`), (draft) => {
    mkdirSync(draft)
    run(args, draft)
  })
