import { vodPartJobType } from "@kinora/domain/enums/RunnerJobType"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { FfmpegFailed, ToolMissing } from "@kinora/media/errors/MediaErrors"
import { ladder } from "@kinora/media/ladder/Ladder"
import { Cut, type CutOptions } from "@kinora/media/parts/Cut"
import { videoOrder, audioOrder } from "@kinora/media/parts/PartOrders"
import type { PartPayload } from "@kinora/media/parts/PartOrder"
import { headBytes, indivisible, isSeparable, partPlan, type PlannedPart } from "@kinora/media/parts/PartPlan"
import { SourcePackets } from "@kinora/media/parts/SourcePackets"
import type { MediaInfo } from "@kinora/media/probe/MediaInfo"
import { copiesAudio } from "@kinora/media/transcode/EncoderArguments"
import type { NewRunnerJob } from "@kinora/storage/runner/RunnerJobBoard"
import { RunnerRows } from "@kinora/storage/runner/RunnerRows"
import { Context, Effect, Layer, type Scope } from "effect"
import { randomUUID } from "node:crypto"
import { open } from "node:fs/promises"
import { ProcessingSettings, type SplitSettings } from "../../video/process/ProcessingSettings.ts"
import { fileAddress, priorities } from "../job/RunnerPlan.ts"
import { PartFiles, type PartSecret } from "./PartFiles.ts"

/** A video that may be split. */
export interface Divisible {
  /** The job on the board that will wait for the parts. */
  readonly jobId: number
  readonly video: { readonly id: number; readonly uuid: string; readonly sourceFilename: string }
  /** Absolute path. */
  readonly source: string
  readonly info: MediaInfo
}

/** More parts make long lists and slow joins. Long videos get longer parts. */
const maxParts = 200
/** Cuts made at the same time. Each is short and mostly waits for the disk. */
const cutsAtOnce = 4
/** Runners that were silent for more seconds than this do not count. Idle runners ask now and then. */
const latelySeconds = 300
/** Cuts overlap by a keyframe interval and a second each. `partPlan` ensures that they are at most twice the video. */
const roomFactor = 2.1

const headOf = (path: string) =>
  Effect.promise(async () => {
    const file = await open(path, "r")
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
      return buffer.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  })

/** Splits videos into jobs, if there are runners for them. */
export class PartJobs extends Context.Service<
  PartJobs,
  {
    /**
     * The jobs of a split video, in playback order, with their cuts made. Empty if it is not split: no runner accepts
     * parts, it is too short, or it cannot be cut so that the parts give the same result as one encode.
     */
    readonly plan: (video: Divisible) => Effect.Effect<ReadonlyArray<NewRunnerJob>, DatabaseUnavailable>
  }
>()("@kinora/node/runners/parts/PartJobs") {
  static readonly layer = Layer.effect(
    PartJobs,
    Effect.gen(function* () {
      const settings = yield* ProcessingSettings
      const files = yield* PartFiles
      const runners = yield* RunnerRows
      const packets = yield* SourcePackets
      const cutting = yield* Cut

      const jobOf = ({ jobId, video }: Divisible, output: PartPayload["output"]) => {
        const uuid = randomUUID()
        const cut = `${jobId}/${uuid}.nut`
        const payload: PartPayload = { input: { videoFileUrl: fileAddress(settings.origin, uuid, video.uuid) }, output }
        const secret: PartSecret = { videoUUID: video.uuid, source: video.sourceFilename, cut }
        const job: NewRunnerJob = {
          uuid,
          type: vodPartJobType,
          priority: priorities.transcoding,
          payload,
          privatePayload: secret,
          videoId: video.id
        }
        return { job, payload, path: files.path(cut) }
      }

      const planOf = Effect.fnUntraced(function* (
        { info, source }: Divisible,
        renditions: ReturnType<typeof ladder>,
        seconds: number
      ) {
        const words = indivisible(info, yield* headOf(source))
        if (words !== undefined) return words
        const pictures = yield* packets.read(source, info)
        return typeof pictures === "string"
          ? `It ${pictures}`
          : partPlan(pictures, renditions, { seconds, max: maxParts })
      })

      /** Audio is a part of its own, the first, unless it is copied or cannot be extracted from its container. */
      const audioOf = (video: Divisible) => {
        const [stream] = video.info.audio
        if (stream === undefined || copiesAudio(stream, video.info) || !isSeparable(stream)) return []
        const { job, path, payload } = jobOf(video, audioOrder(stream, video.info.duration))
        return [
          { job, payload, stream, cut: { source: video.source, path, stream: stream.stream } satisfies CutOptions }
        ]
      }

      /** The audio's length is measured from the extracted file: containers often give it wrong. */
      const withLength = Effect.fnUntraced(function* ({
        cut,
        job,
        payload,
        stream
      }: ReturnType<typeof audioOf>[number]) {
        const output = audioOrder(stream, yield* packets.audioEnd(cut.path))
        return { ...job, payload: { ...payload, output } }
      })

      const split = Effect.fnUntraced(function* (
        video: Divisible,
        { preset, seconds }: SplitSettings
      ): Effect.fn.Return<ReadonlyArray<NewRunnerJob> | string, FfmpegFailed | ToolMissing, Scope.Scope> {
        const { info, jobId, source } = video
        // Whatever codec this node encodes: a runner may lack that encoder.
        const renditions = ladder(info, settings, { ...settings.codecs, codec: "h264" }).filter(
          ({ hasVideo }) => hasVideo
        )
        const parts: ReadonlyArray<PlannedPart> | string = yield* planOf(video, renditions, seconds)
        if (typeof parts === "string" || info.video === undefined) return String(parts)
        const folder = yield* files.open(jobId, info.size * roomFactor)
        if (folder === undefined) return "There is not enough disk space for its parts"
        const { stream } = info.video
        const orders = parts.map((part) => {
          const { job, path } = jobOf(video, videoOrder(part, info.video!, renditions, preset))
          return { job, cut: { source, path, stream, range: part.cut } satisfies CutOptions }
        })
        const audioParts = audioOf(video)
        const all = [...audioParts, ...orders]
        return yield* Effect.forEach(all, ({ cut }) => cutting.cut(cut), {
          concurrency: cutsAtOnce,
          discard: true
        }).pipe(
          Effect.andThen(Effect.forEach(audioParts, withLength)),
          Effect.map((measured) => [...measured, ...orders.map(({ job }) => job)]),
          // Removed one by one: the next holder of the ladder may already be making others in the same folder.
          Effect.onError(() => files.remove(all.map(({ cut }) => cut.path)))
        )
      }, Effect.scoped)

      const plan = Effect.fn("PartJobs.plan")(function* (video: Divisible) {
        const { split: how } = settings
        if (how === undefined || video.info.duration < how.shortest) return []
        if (!(yield* runners.anyDoes(vodPartJobType, latelySeconds))) return []
        const parts = yield* split(video, how).pipe(Effect.catch((error) => Effect.succeed(error.message)))
        if (typeof parts !== "string") return parts
        yield* Effect.logInfo(`Video ${video.video.uuid} is not split: ${parts}`)
        return []
      })

      return PartJobs.of({ plan })
    })
  )
}
