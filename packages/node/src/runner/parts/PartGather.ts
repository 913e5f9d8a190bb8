import { vodPartJobType } from "@kinora/domain/enums/RunnerJobType"
import type { InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { type JoinPartsOptions, JoinParts, type ReadPart } from "@kinora/media/parts/JoinParts"
import { PartPayload } from "@kinora/media/parts/PartOrder"
import { unlikeOthers } from "@kinora/media/parts/PartRules"
import type { MediaInfo } from "@kinora/media/probe/MediaInfo"
import { Probe } from "@kinora/media/probe/Probe"
import type { LadderPart } from "@kinora/storage/runner/RunnerLadders"
import { Context, Effect, Layer, Schema } from "effect"
import type { Attempt } from "../../video/process/Attempts.ts"
import { RunnerResults } from "../job/RunnerResults.ts"

const decodePayload = Schema.decodeUnknownEffect(PartPayload)

/** An unusable result: its job is given out again. */
export interface Useless {
  readonly id: number
  readonly words: string
}

/** The results of a video in parts, after they were probed. */
export interface GatheredParts {
  /** In playback order. */
  readonly videoParts: ReadonlyArray<ReadPart>
  /** Absolute path of the audio. Undefined if it was not given out. */
  readonly audioPath: string | undefined
  readonly useless: ReadonlyArray<Useless>
  /** Whether parts were unusable repeatedly, which encoding the video as a whole may avoid. */
  readonly unsplittable: boolean
}

/**
 * After this many parts that were encoded differently from the others, or with audio too short, the video is encoded as
 * a whole.
 */
const maxMisfits = 2
/** Seconds that encoders add at either end of the audio, and that containers leave open. */
const audioTolerance = 2
/** Share of the audio that may be missing if some of it cannot be decoded. */
const audioShare = 0.03

export const isPart = ({ type }: LadderPart): boolean => type === vodPartJobType

/** Probes the results of parts. */
export class PartGather extends Context.Service<
  PartGather,
  {
    readonly gather: (
      parts: ReadonlyArray<LadderPart>,
      attempt: Pick<Attempt, "folder" | "info">
    ) => Effect.Effect<GatheredParts, InsufficientStorage>
    readonly join: (options: JoinPartsOptions) => ReturnType<JoinParts["Service"]["join"]>
  }
>()("@kinora/node/runners/parts/PartGather") {
  static readonly layer = Layer.effect(
    PartGather,
    Effect.gen(function* () {
      const joining = yield* JoinParts
      const probe = yield* Probe
      const results = yield* RunnerResults

      const audioIn = Effect.fnUntraced(function* (file: string, source: MediaInfo, end: number) {
        const info = yield* Effect.mapError(probe.probe(file), ({ message }) => message)
        const [stream] = info.audio
        if (info.container !== "mov" || stream?.codec !== "aac") return yield* Effect.fail("It contains no AAC audio")
        // Audio may end long before the video. It is never longer than the file it was taken from.
        if (info.duration > source.duration + audioTolerance) return yield* Effect.fail("The audio is too long")
        if (info.duration < end - Math.max(audioTolerance, end * audioShare)) {
          return yield* Effect.fail(`The audio ends at ${info.duration.toFixed(1)} s instead of ${end.toFixed(1)} s`)
        }
        return file
      })

      const gather = Effect.fn("PartGather.gather")(function* (
        parts: ReadonlyArray<LadderPart>,
        { folder, info: source }: Pick<Attempt, "folder" | "info">
      ) {
        const videoParts: Array<ReadPart & { readonly part: LadderPart }> = []
        const useless: Array<Useless> = []
        let audioPath: string | undefined
        let mute = false
        for (const part of parts) {
          const { output } = yield* Effect.orDie(decodePayload(part.payload))
          if (part.result === null) return yield* Effect.die("a finished job without a result")
          const file = yield* results.file(part.result, "video.mp4", folder)
          const seen = yield* Effect.result(
            output.kind === "audio"
              ? Effect.map(audioIn(file, source, output.duration), (path) => void (audioPath = path))
              : Effect.map(joining.look({ file, output }), (read) => void videoParts.push({ ...read, part }))
          )
          // No runner can do better: if much of the audio cannot be decoded, the result is always too short.
          if (seen._tag === "Failure" && output.kind === "audio") mute ||= part.failures >= maxMisfits
          if (seen._tag === "Failure") useless.push({ id: part.id, words: `The result was rejected: ${seen.failure}` })
        }
        const odd = unlikeOthers(videoParts)
        const words = "The result was rejected: it was encoded differently from the other parts"
        return {
          videoParts: videoParts.toSorted((a, b) => a.output.first - b.output.first),
          audioPath,
          useless: [...useless, ...odd.map(({ part }) => ({ id: part.id, words }))],
          unsplittable: mute || odd.some(({ part }) => part.failures >= maxMisfits)
        }
      })

      return PartGather.of({ gather, join: joining.join })
    })
  )
}
