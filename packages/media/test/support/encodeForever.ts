// Started by a test and killed by it: an encode that would take minutes. Says "started" once ffmpeg has reported.
import { NodeServices } from "@effect/platform-node"
import { Console, Duration, Effect, Layer, Stream } from "effect"
import { Media } from "../../src/Media.ts"
import { ffmpegArguments } from "../../src/process/FfmpegCommand.ts"
import { FfmpegProcess } from "../../src/process/FfmpegProcess.ts"

const [source = "", mark = ""] = process.argv.slice(2)

const args = ffmpegArguments({
  inputs: [{ path: source, kind: "upload", options: ["-re", "-stream_loop", "100"] }],
  outputs: [{ path: "/dev/null", options: ["-metadata", `comment=${mark}`, "-f", "null"] }],
  reportEvery: 0.1
})

const main = Effect.gen(function* () {
  const ffmpeg = yield* FfmpegProcess
  const limits = { memory: 4 * 1024 ** 3, fileSize: 0 }
  const reports = ffmpeg.progress({ tool: "ffmpeg", args, timeout: Duration.minutes(5), limits }, 600)
  yield* Stream.runForEach(reports, () => Console.log("started"))
})

await Effect.runPromise(main.pipe(Effect.provide(Media.layer.pipe(Layer.provide(NodeServices.layer)))))
