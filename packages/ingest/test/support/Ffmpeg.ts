import { Effect, Exit } from "effect"
import { spawn } from "node:child_process"
import { accessSync, constants } from "node:fs"
import { delimiter, join, resolve } from "node:path"

const root = resolve(import.meta.dirname, "../../../..")

/** The packaged ffmpeg; where there is no package, the one of `KINORA_FFMPEG_PATH` or the first on the PATH. */
const path: string = [
  join(root, `node_modules/@ffmpeg-binary/${process.platform}-${process.arch}/ffmpeg`),
  process.env["KINORA_FFMPEG_PATH"] ?? "",
  ...(process.env["PATH"] ?? "").split(delimiter).map((part) => join(part, "ffmpeg"))
].find((candidate) => {
  try {
    accessSync(candidate, constants.X_OK)
    return candidate !== ""
  } catch {
    return false
  }
})!

/** How an ffmpeg ended, and what it printed. */
export interface FfmpegRun {
  readonly code: number | null
  readonly output: Buffer
  readonly log: string
}

/** Runs ffmpeg to its end, with bytes as `pipe:0`. Interruption kills it. */
export const ffmpeg = (args: ReadonlyArray<string>, input: Uint8Array = new Uint8Array()): Effect.Effect<FfmpegRun> =>
  Effect.callback((resume) => {
    const child = spawn(path, ["-hide_banner", "-loglevel", "verbose", ...args], {
      stdio: ["pipe", "pipe", "pipe"]
    })
    // It may end before it has read everything.
    child.stdin.on("error", () => {})
    child.stdin.end(input)
    const output: Array<Buffer> = []
    const log: Array<Buffer> = []
    child.stdout.on("data", (bytes: Buffer) => output.push(bytes))
    child.stderr.on("data", (bytes: Buffer) => log.push(bytes))
    child.once("close", (code) =>
      resume(Exit.succeed({ code, output: Buffer.concat(output), log: Buffer.concat(log).toString() }))
    )
    return Effect.callback<void>((done) => {
      if (child.exitCode !== null || child.signalCode !== null) return done(Effect.void)
      child.once("close", () => done(Effect.void))
      child.kill("SIGKILL")
    })
  })

/** Inputs of moving pictures and a tone, and how to encode them, as RTMP wants it. */
export const pictures = (seconds: number, encoder: ReadonlyArray<string> = ["-c:v", "libx264"]) => [
  ...["-f", "lavfi", "-i", `testsrc2=size=320x180:rate=25:duration=${seconds}`],
  ...["-f", "lavfi", "-i", `sine=frequency=440:sample_rate=44100:duration=${seconds}`],
  ...[...encoder, "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "25", "-c:a", "aac", "-f", "flv"]
]
