import type { InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { Pictures } from "@kinora/media/images/Pictures"
import { type StoryboardFile, storyboardPlan } from "@kinora/media/images/StoryboardPlan"
import { resolutionOf } from "@kinora/media/ladder/Ladder"
import { Probe } from "@kinora/media/probe/Probe"
import type { JoinedPart } from "@kinora/media/transcode/Join"
import type { LadderPart } from "@kinora/storage/runner/RunnerLadders"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { join } from "node:path"
import type { Attempt } from "../video/process/Attempts.ts"
import { misfit, audioMergeMisfit } from "./job/ResultRules.ts"
import { RunnerResults } from "./job/RunnerResults.ts"
import type { Useless } from "./parts/PartGather.ts"

const decodeResolution = Schema.decodeUnknownOption(
  Schema.Struct({ output: Schema.Struct({ resolution: Schema.Int }) })
)

/** Renditions that runners made, after they were probed. */
export interface LookedInto {
  /** Highest resolution first. */
  readonly good: ReadonlyArray<JoinedPart>
  readonly useless: ReadonlyArray<Useless>
  /** Seconds at which they are cut off. Undefined if none runs over. */
  readonly until: number | undefined
}

/** Reads the results of runners for a video. */
export class LadderResults extends Context.Service<
  LadderResults,
  {
    /** Probes finished renditions. Some of them may be unusable. */
    readonly renditions: (
      parts: ReadonlyArray<LadderPart>,
      attempt: Pick<Attempt, "folder" | "info">
    ) => Effect.Effect<LookedInto, InsufficientStorage>
    /**
     * The storyboard sheet, in the format of our own: a JPEG of exactly the requested size. A video does without a
     * damaged one.
     */
    readonly sheet: (
      part: LadderPart | undefined,
      attempt: Pick<Attempt, "folder" | "info" | "token">
    ) => Effect.Effect<StoryboardFile | undefined, InsufficientStorage>
    /** Removes the files of these results. */
    readonly clear: (parts: ReadonlyArray<LadderPart>) => Effect.Effect<void>
  }
>()("@kinora/node/runners/LadderResults") {
  static readonly layer = Layer.effect(
    LadderResults,
    Effect.gen(function* () {
      const results = yield* RunnerResults
      const probe = yield* Probe
      const images = yield* Pictures

      const look = Effect.fnUntraced(function* (
        part: LadderPart,
        { folder, info: source }: Pick<Attempt, "folder" | "info">
      ) {
        const asked = Option.getOrUndefined(decodeResolution(part.payload))?.output.resolution
        if (part.result === null || asked === undefined) return yield* Effect.die("a finished job without a result")
        const file = yield* results.file(part.result, "video.mp4", folder)
        const info = yield* Effect.mapError(probe.probe(file), ({ message }) => message)
        const isAudioMerge = part.type === "vod-audio-merge-transcoding"
        const words = isAudioMerge ? audioMergeMisfit(info, source) : misfit(info, source, asked)
        if (words !== undefined) return yield* Effect.fail(words)
        return { resolution: isAudioMerge ? resolutionOf(info) : asked, file, info } satisfies JoinedPart
      })

      const renditions = Effect.fn("LadderResults.renditions")(function* (
        parts: ReadonlyArray<LadderPart>,
        attempt: Pick<Attempt, "folder" | "info">
      ) {
        const { info: source } = attempt
        const good: Array<JoinedPart> = []
        const useless: Array<Useless> = []
        for (const part of parts) {
          const seen = yield* Effect.result(look(part, attempt))
          if (seen._tag === "Success") good.push(seen.success)
          else if (typeof seen.failure !== "string") return yield* seen.failure
          else useless.push({ id: part.id, words: `The result was rejected: ${seen.failure}` })
        }
        const runsOver = source.video === undefined && good.some(({ info }) => info.duration > source.duration)
        return {
          good: good.toSorted((a, b) => b.resolution - a.resolution),
          useless,
          until: runsOver ? source.duration : undefined
        }
      })

      const sheet = Effect.fn("LadderResults.sheet")(function* (
        part: LadderPart | undefined,
        { folder, info, token }: Pick<Attempt, "folder" | "info" | "token">
      ) {
        const plan = storyboardPlan(info)
        if (part === undefined || part.result === null || plan === undefined) return undefined
        const { spriteDuration, spriteHeight, spriteWidth, totalHeight, totalWidth } = plan
        const path = join(folder, `${token}.jpg`)
        const target = { path, width: totalWidth, height: totalHeight }
        const made: StoryboardFile = { path, totalWidth, totalHeight, spriteWidth, spriteHeight, spriteDuration }
        const sent = yield* results.file(part.result, "storyboard", folder)
        return yield* images.write(sent, [target], "cover").pipe(
          Effect.as<StoryboardFile | undefined>(made),
          Effect.catch((error) =>
            Effect.as(Effect.logWarning("The storyboard sent by a runner is unusable", error), undefined)
          )
        )
      })

      const clear = (parts: ReadonlyArray<LadderPart>) =>
        Effect.forEach(parts, ({ result }) => (result === null ? Effect.void : results.remove(result)), {
          discard: true
        })

      return LadderResults.of({ renditions, sheet, clear })
    })
  )
}
