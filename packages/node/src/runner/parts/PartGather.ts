import { vodPartJobType } from "@kinora/domain/enums/RunnerJobType"
import { type JoinPartsOptions, JoinParts, type ReadPart } from "@kinora/media/parts/JoinParts"
import { PartPayload } from "@kinora/media/parts/PartOrder"
import { unlikeOthers } from "@kinora/media/parts/PartRules"
import type { MediaInfo } from "@kinora/media/probe/MediaInfo"
import { Probe } from "@kinora/media/probe/Probe"
import type { LadderPart } from "@kinora/storage/runner/RunnerLadders"
import { Context, Effect, Layer, Schema } from "effect"
import { RunnerResults } from "../job/RunnerResults.ts"

const decodePayload = Schema.decodeUnknownEffect(PartPayload)

/** A result that is of no use: its job is given out again. */
export interface Useless {
  readonly id: number
  readonly words: string
}

/** What runners made of a video in parts, looked into. */
export interface GatheredParts {
  /** In the order of time. */
  readonly pictures: ReadonlyArray<ReadPart>
  /** Absolute path of the sound; undefined when it was not given out. */
  readonly sound: string | undefined
  readonly useless: ReadonlyArray<Useless>
  /** Whether something was of no use again and again, which the video as a whole may be spared. */
  readonly quarrel: boolean
}

/** Times a part may be encoded in another way than the others, or its sound too short, until the video is encoded as a whole. */
const mostQuarrels = 2
/** What encoders add at either end of a sound, and what containers leave open, in seconds. */
const soundTolerance = 2
/** What may be missing of a sound of which not everything can be decoded. */
const soundShare = 0.03

export const isPart = ({ type }: LadderPart): boolean => type === vodPartJobType

/** Looks into the results of parts. */
export class PartGather extends Context.Service<
  PartGather,
  {
    readonly gather: (parts: ReadonlyArray<LadderPart>, source: MediaInfo) => Effect.Effect<GatheredParts>
    readonly join: (options: JoinPartsOptions) => ReturnType<JoinParts["Service"]["join"]>
  }
>()("@kinora/node/runners/parts/PartGather") {
  static readonly layer = Layer.effect(
    PartGather,
    Effect.gen(function* () {
      const joining = yield* JoinParts
      const probe = yield* Probe
      const results = yield* RunnerResults

      const soundIn = Effect.fnUntraced(function* (file: string, source: MediaInfo, end: number) {
        const info = yield* Effect.mapError(probe.probe(file), ({ message }) => message)
        const [sound] = info.audio
        if (info.container !== "mov" || sound?.codec !== "aac") return yield* Effect.fail("It is no sound in AAC")
        // Sound may end long before its pictures; it is never longer than the file that it was taken out of.
        if (info.duration > source.duration + soundTolerance) return yield* Effect.fail("The sound is too long")
        if (info.duration < end - Math.max(soundTolerance, end * soundShare)) {
          return yield* Effect.fail(`The sound ends at ${info.duration.toFixed(1)} s, in place of ${end.toFixed(1)} s`)
        }
        return file
      })

      const gather = Effect.fn("PartGather.gather")(function* (parts: ReadonlyArray<LadderPart>, source: MediaInfo) {
        const pictures: Array<ReadPart & { readonly part: LadderPart }> = []
        const useless: Array<Useless> = []
        let sound: string | undefined
        let mute = false
        for (const part of parts) {
          const { output } = yield* Effect.orDie(decodePayload(part.payload))
          if (part.result === null) return yield* Effect.die("a finished job without a result")
          const file = results.path(part.result, "video.mp4")
          const seen = yield* Effect.result(
            output.kind === "audio"
              ? Effect.map(soundIn(file, source, output.duration), (path) => void (sound = path))
              : Effect.map(joining.look({ file, output }), (read) => void pictures.push({ ...read, part }))
          )
          // Whoever encodes it: where much of it cannot be decoded, it is never as long as it should be.
          if (seen._tag === "Failure" && output.kind === "audio") mute ||= part.failures >= mostQuarrels
          if (seen._tag === "Failure") useless.push({ id: part.id, words: `The result is of no use: ${seen.failure}` })
        }
        const odd = unlikeOthers(pictures)
        const words = "The result is of no use: it was encoded in another way than the other parts"
        return {
          pictures: pictures.toSorted((a, b) => a.output.first - b.output.first),
          sound,
          useless: [...useless, ...odd.map(({ part }) => ({ id: part.id, words }))],
          quarrel: mute || odd.some(({ part }) => part.failures >= mostQuarrels)
        }
      })

      return PartGather.of({ gather, join: joining.join })
    })
  )
}
