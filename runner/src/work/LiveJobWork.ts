import { peakRate } from "@kinora/media/ladder/Ladder"
import { PulledLive } from "@kinora/media/live/PulledLive"
import type { ClosedSegment } from "@kinora/media/live/Segmenting"
import { type Cause, Context, Effect, FileSystem, Layer, Queue, Schema } from "effect"
import { RunnerConfig } from "../config/RunnerConfig.ts"
import type { FormFile } from "../server/Multipart.ts"
import { LivePayload } from "../server/Protocol.ts"
import { withRetries } from "../server/RetryPolicy.ts"
import { type Job, RunnerServer } from "../server/RunnerServer.ts"
import { streamAddress } from "../server/StreamAddress.ts"
import { LiveWindow } from "./LiveWindow.ts"

const decode = Schema.decodeUnknownEffect(LivePayload)

type Version = (typeof LivePayload.Type)["output"]["toTranscode"][number]

const playlistType = "application/vnd.apple.mpegurl"
const soundRate = 128_000

/** The master playlist (RFC 8216). Servers may write their own. */
const master = (versions: ReadonlyArray<Version>): string =>
  [
    "#EXTM3U",
    "#EXT-X-VERSION:3",
    ...versions.flatMap(({ fps, resolution }, index) => {
      const picture = resolution > 0 ? peakRate((resolution * 16) / 9, resolution, fps > 0 ? fps : 30) : 0
      return [`#EXT-X-STREAM-INF:BANDWIDTH=${picture + soundRate}`, `${index}.m3u8`]
    }),
    ""
  ].join("\n")

/** Longest time for which a segment is tried again: then viewers have gone on without it. */
const sendingTime = "1 minute"

/** Transcodes a live while it is published: reads the stream, and sends each segment as soon as it is closed. */
export class LiveJobWork extends Context.Service<
  LiveJobWork,
  {
    readonly make: (
      job: Job,
      directory: string
    ) => Effect.Effect<ReadonlyArray<FormFile>, Effect.Error<ReturnType<typeof transcoded>>>
  }
>()("@kinora/runner/work/LiveJobWork") {
  static readonly layer = Layer.effect(
    LiveJobWork,
    Effect.gen(function* () {
      const { media } = yield* RunnerConfig
      const fs = yield* FileSystem.FileSystem
      const pulled = yield* PulledLive
      const server = yield* RunnerServer
      return LiveJobWork.of({
        make: (job, directory) => transcoded({ fs, pulled, server, threads: media.threads }, job, directory)
      })
    })
  )
}

interface Services {
  readonly fs: FileSystem.FileSystem
  readonly pulled: PulledLive["Service"]
  readonly server: RunnerServer["Service"]
  readonly threads: number
}

const transcoded = Effect.fn("LiveJobWork.make")(function* (
  { fs, pulled, server, threads }: Services,
  job: Job,
  directory: string
) {
  const { input, output } = yield* decode(job.payload)
  const { segmentDuration, segmentListSize, toTranscode } = output
  const masterPath = `${directory}/master.m3u8`
  yield* fs.writeFileString(masterPath, master(toTranscode))
  const url = yield* streamAddress(job.origin, input.rtmpUrl)
  const run = yield* pulled.start({
    url,
    versions: toTranscode,
    directory,
    segmentSeconds: segmentDuration,
    threads
  })

  const send = (payload: Readonly<Record<string, string>>, files: ReadonlyArray<FormFile>) =>
    withRetries(server.updateLive(job, payload, files), sendingTime)

  /** Sends the segments of one version, in their order. */
  const sendVersion = Effect.fnUntraced(function* (index: number, segments: Queue.Dequeue<ClosedSegment, Cause.Done>) {
    const window = new LiveWindow(segmentListSize, segmentDuration)
    const playlist = `${index}.m3u8`
    const path = `${directory}/${playlist}`
    const one = Effect.gen(function* () {
      const segment = yield* Queue.take(segments)
      const name = `${index}-${String(segment.number).padStart(6, "0")}.ts`
      const gone = window.add({ name, seconds: segment.seconds })
      yield* fs.writeFileString(path, window.text)
      yield* send({ type: "add-chunk", videoChunkFilename: name, resolutionPlaylistFilename: playlist }, [
        { field: "payload[masterPlaylistFile]", path: masterPath, name: "master.m3u8", type: playlistType },
        { field: "payload[resolutionPlaylistFile]", path, name: playlist, type: playlistType },
        { field: "payload[videoChunkFile]", path: segment.path, name, type: "video/mp2t" }
      ])
      yield* fs.remove(segment.path)
      for (const { name: old } of gone) yield* send({ type: "remove-chunk", videoChunkFilename: old }, [])
    })
    yield* Effect.catchTag(Effect.forever(one), "Done", () => Effect.void)
  })

  const queues = yield* Effect.forEach(toTranscode, () => Queue.unbounded<ClosedSegment, Cause.Done>())
  const sorted = Effect.forever(
    Effect.flatMap(run.next, (segment) => {
      const queue = queues[segment.resolution]
      return queue === undefined ? Effect.void : Queue.offer(queue, segment)
    })
  ).pipe(
    Effect.catchTag("Done", () => Effect.void),
    Effect.ensuring(Effect.forEach(queues, (queue) => Queue.end(queue), { discard: true }))
  )
  const sent = Effect.forEach(queues, (queue, index) => sendVersion(index, queue), {
    concurrency: "unbounded",
    discard: true
  })
  // What is closed is sent, even when the stream breaks.
  const [ended] = yield* Effect.all([Effect.exit(sorted), sent], { concurrency: 2 })
  yield* ended
  const nothing: ReadonlyArray<FormFile> = []
  return nothing
}, Effect.scoped)
