import { Effect } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ffmpeg } from "./Ffmpeg.ts"

/** A transport stream of moving pictures and a tone: a file, and what ffmpeg sends of it when it copies it. It goes with the scope. */
export const transportStream = Effect.fnUntraced(function* (seconds: number) {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "kinora-srt-"))),
    (made) => Effect.sync(() => rmSync(made, { recursive: true }))
  )
  const file = join(folder, "stream.ts")
  const inputs = [
    ...["-f", "lavfi", "-i", `testsrc2=size=640x360:rate=25:duration=${seconds}`],
    ...["-f", "lavfi", "-i", `sine=frequency=440:sample_rate=48000:duration=${seconds}`]
  ]
  const video = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "25", "-b:v", "2M"]
  const run = yield* ffmpeg([...inputs, ...video, "-c:a", "aac", "-f", "mpegts", "pipe:1"])
  writeFileSync(file, run.output)
  const copy = yield* ffmpeg(["-i", file, "-c", "copy", "-f", "mpegts", "pipe:1"])
  return { file, bytes: copy.output }
})
