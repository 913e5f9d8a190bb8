import { Effect, FileSystem, Layer } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { ladder } from "../../src/ladder/Ladder.ts"
import { Cut } from "../../src/parts/Cut.ts"
import { JoinParts, type ReadPart } from "../../src/parts/JoinParts.ts"
import { PartEncoder } from "../../src/parts/PartEncoder.ts"
import type { VideoPart } from "../../src/parts/PartOrder.ts"
import { headBytes, indivisible, isSeparable, partPlan, type PlannedPart } from "../../src/parts/PartPlan.ts"
import { videoOrder, audioOrder } from "../../src/parts/PartOrders.ts"
import { SourcePackets } from "../../src/parts/SourcePackets.ts"
import type { MediaInfo } from "../../src/probe/MediaInfo.ts"
import { Probe } from "../../src/probe/Probe.ts"
import { defaultMediaSettings, MediaSettings } from "../../src/settings/MediaSettings.ts"
import { Tools } from "../../src/tools/Tools.ts"
import { copiesAudio } from "../../src/transcode/EncoderArguments.ts"
import { fileNames } from "../../src/transcode/FileNames.ts"
import { Transcode } from "../../src/transcode/Transcode.ts"
import { MediaTest } from "../support/MediaTest.ts"

/** Fast: what is compared is not how well pictures are encoded. */
const preset = "ultrafast"

/** The media services, encoding fast. */
export const FastMedia = Layer.provide(MediaTest, Layer.succeed(MediaSettings, { ...defaultMediaSettings, preset }))

const settings = { resolutions: [144, 240], alwaysTranscodeOriginalResolution: true, maxFps: 60 }

/** Nearly as good as the source: a picture in the place of another would show. */
const renditionsOf = (info: MediaInfo) =>
  ladder(info, settings).map((one) => ({ ...one, crf: 6, maxRate: 100_000_000, bufferSize: 200_000_000 }))

const tool = Effect.fnUntraced(function* (name: "ffmpeg" | "ffprobe", args: ReadonlyArray<string>) {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const program = yield* (yield* Tools).path(name)
  return yield* spawner.string(ChildProcess.make(program, ["-hide_banner", ...args]), { includeStderr: true })
})

/** What becomes of a source: parts, or why there are none. */
export const planned = Effect.fnUntraced(function* (source: string, seconds = 4) {
  const fs = yield* FileSystem.FileSystem
  const info = yield* (yield* Probe).probe(source)
  const head = (yield* fs.readFile(source)).subarray(0, headBytes)
  const renditions = renditionsOf(info)
  const words = indivisible(info, head)
  if (words !== undefined) return { info, renditions, parts: words }
  const pictures = yield* (yield* SourcePackets).read(source, info)
  const parts = typeof pictures === "string" ? pictures : partPlan(pictures, renditions, { seconds, max: 200 })
  return { info, renditions, parts }
})

/** Encodes a source in parts and joins them. */
export const inParts = Effect.fnUntraced(function* (source: string, folder: string) {
  const fs = yield* FileSystem.FileSystem
  const { info, parts, renditions } = yield* planned(source)
  if (typeof parts === "string") return yield* Effect.die(parts)
  const video = info.video!
  const encode = Effect.fnUntraced(function* (part: PlannedPart, index: number) {
    const directory = `${folder}/part-${index}`
    yield* fs.makeDirectory(directory)
    const cut = `${directory}/cut.nut`
    yield* (yield* Cut).cut({ source, path: cut, stream: video.stream, range: part.cut })
    const output: VideoPart = videoOrder(part, video, renditions, preset)
    const file = yield* (yield* PartEncoder).encode({ source: cut, directory, output })
    return { file, output }
  })
  const [stream] = info.audio
  const audioPath =
    stream === undefined || copiesAudio(stream, info) || !isSeparable(stream)
      ? undefined
      : yield* Effect.gen(function* () {
          const directory = `${folder}/sound`
          yield* fs.makeDirectory(directory)
          const cut = `${directory}/cut.nut`
          yield* (yield* Cut).cut({ source, path: cut, stream: stream.stream })
          const output = audioOrder(stream, info.duration)
          return yield* (yield* PartEncoder).encode({ source: cut, directory, output })
        })
  const joining = yield* JoinParts
  const read: Array<ReadPart> = []
  for (const [index, part] of parts.entries()) read.push(yield* joining.look(yield* encode(part, index)))
  const directory = `${folder}/joined`
  yield* fs.makeDirectory(directory)
  const encoded = yield* joining.join({
    parts: read,
    source,
    info,
    audioPath,
    audioOnly: false,
    directory,
    names: fileNames("joined"),
    hls: true,
    webVideo: true,
    splitAudio: false
  })
  return { encoded, parts: read, info }
})

/** The same in one pass. */
export const atOnce = Effect.fnUntraced(function* (source: string, folder: string) {
  const fs = yield* FileSystem.FileSystem
  const info = yield* (yield* Probe).probe(source)
  const directory = `${folder}/once`
  yield* fs.makeDirectory(directory)
  return yield* (yield* Transcode).transcode({
    source,
    info,
    renditions: renditionsOf(info),
    directory,
    names: fileNames("once"),
    hls: true,
    webVideo: true,
    splitAudio: false,
    storyboard: undefined
  })
})

/** Times of the packets of a stream in order of presentation, with the marks of keyframes. */
export const packets = (path: string, stream: string) =>
  Effect.map(
    tool("ffprobe", [
      "-v",
      "error",
      "-select_streams",
      stream,
      "-show_entries",
      "packet=pts_time,flags",
      "-of",
      "csv=p=0",
      path
    ]),
    (text) =>
      text
        .split("\n")
        .filter((line) => line.includes(","))
        .map((line) => line.replace(/[^\d.,K-]/g, ""))
        .toSorted((a, b) => Number.parseFloat(a) - Number.parseFloat(b))
  )

/** SSIM of every picture of a film against the same of another. */
export const likeness = (one: string, other: string) =>
  Effect.map(
    tool("ffmpeg", ["-v", "error", "-i", one, "-i", other, "-lavfi", "[0:v][1:v]ssim=stats_file=-", "-f", "null", "-"]),
    (text) => [...text.matchAll(/All:([\d.]+)/g)].map(([, all]) => Number(all))
  )
