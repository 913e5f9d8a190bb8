import { vodPartJobType } from "@kinora/domain/enums/RunnerJobType"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { FfmpegFailed, ToolMissing } from "@kinora/media/errors/MediaErrors"
import { ladder } from "@kinora/media/ladder/Ladder"
import { Cut, type CutOptions } from "@kinora/media/parts/Cut"
import { pictureOrder, soundOrder } from "@kinora/media/parts/PartOrders"
import type { PartPayload } from "@kinora/media/parts/PartOrder"
import { headBytes, indivisible, isSeparable, partPlan, type PlannedPart } from "@kinora/media/parts/PartPlan"
import { SourcePackets } from "@kinora/media/parts/SourcePackets"
import type { MediaInfo } from "@kinora/media/probe/MediaInfo"
import { keepsSound } from "@kinora/media/transcode/EncoderArguments"
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
  /** The job of the board that will wait for the parts. */
  readonly jobId: number
  readonly video: { readonly id: number; readonly uuid: string; readonly sourceFilename: string }
  /** Absolute path. */
  readonly source: string
  readonly info: MediaInfo
}

/** More than this makes lists long and joins slow: of long videos, parts are longer. */
const mostParts = 200
/** Cuts made at the same time: each is short, and mostly waits. */
const cutsAtOnce = 4
/** Runners that were silent for longer are not counted on, seconds: with nothing to do, they ask now and then. */
const latelySeconds = 300
/** Cuts overlap by a keyframe interval and a second each: `partPlan` sees to it that they are no more than twice the video. */
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

/** Splits videos into jobs, where there are runners for them. */
export class PartJobs extends Context.Service<
  PartJobs,
  {
    /**
     * The jobs of a video in parts, in the order of time, their cuts made; empty when it is not to be split: nobody asks for
     * parts, it is too short, or it cannot be cut so that the parts make what one pass makes.
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
          : partPlan(pictures, renditions, { seconds, most: mostParts })
      })

      /** Sound is a part of its own, the first: unless it stays as it is, or cannot be taken out of its container. */
      const soundOf = (video: Divisible) => {
        const [sound] = video.info.audio
        if (sound === undefined || keepsSound(sound, video.info) || !isSeparable(sound)) return []
        const { job, path, payload } = jobOf(video, soundOrder(sound, video.info.duration))
        return [{ job, payload, sound, cut: { source: video.source, path, stream: sound.stream } satisfies CutOptions }]
      }

      /** What is said of a sound follows from what was cut out: containers are often wrong about its length. */
      const withLength = Effect.fnUntraced(function* ({
        cut,
        job,
        payload,
        sound
      }: ReturnType<typeof soundOf>[number]) {
        const output = soundOrder(sound, yield* packets.soundEnd(cut.path))
        return { ...job, payload: { ...payload, output } }
      })

      const split = Effect.fnUntraced(function* (
        video: Divisible,
        { preset, seconds }: SplitSettings
      ): Effect.fn.Return<ReadonlyArray<NewRunnerJob> | string, FfmpegFailed | ToolMissing, Scope.Scope> {
        const { info, jobId, source } = video
        // Whatever codec this node makes: a runner may have no encoder of it.
        const renditions = ladder(info, settings, { ...settings.codecs, codec: "h264" }).filter(
          ({ hasVideo }) => hasVideo
        )
        const parts: ReadonlyArray<PlannedPart> | string = yield* planOf(video, renditions, seconds)
        if (typeof parts === "string" || info.video === undefined) return String(parts)
        const folder = yield* files.open(jobId, info.size * roomFactor)
        if (folder === undefined) return "There is no room for its parts"
        const { stream } = info.video
        const orders = parts.map((part) => {
          const { job, path } = jobOf(video, pictureOrder(part, info.video!, renditions, preset))
          return { job, cut: { source, path, stream, range: part.cut } satisfies CutOptions }
        })
        const sounds = soundOf(video)
        const all = [...sounds, ...orders]
        return yield* Effect.forEach(all, ({ cut }) => cutting.cut(cut), {
          concurrency: cutsAtOnce,
          discard: true
        }).pipe(
          Effect.andThen(Effect.forEach(sounds, withLength)),
          Effect.map((measured) => [...measured, ...orders.map(({ job }) => job)]),
          // By name: whoever has the ladder after this one may be making others by now.
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
