import { LiveError } from "@kinora/domain/enums/Live"
import { flvFileHeader, flvTagParts } from "@kinora/ingest/flv/FlvWriter"
import { LivePackager } from "@kinora/media/live/LivePackager"
import { Context, Effect, Layer } from "effect"
import type { LiveEnd } from "./LiveEnd.ts"
import type { StartRun } from "./LiveRuns.ts"

const broken: LiveEnd = { error: LiveError.ffmpeg, reason: "The stream could not be packaged" }

/** Runs of this node's own ffmpeg. */
export class LocalRuns extends Context.Service<LocalRuns, { readonly start: StartRun }>()(
  "@kinora/node/live/session/LocalRuns"
) {
  static readonly layer = Layer.effect(
    LocalRuns,
    Effect.gen(function* () {
      const packager = yield* LivePackager

      const start: StartRun = Effect.fnUntraced(function* (work) {
        const tags = yield* work.relay.follow
        const run = yield* Effect.mapError(packager.start(work), () => broken)
        const has = { audio: work.info.audio.length > 0, video: work.info.video !== undefined }
        const fed = Effect.andThen(
          run.write([flvFileHeader(has)]),
          Effect.forever(Effect.flatMap(tags, (some) => run.write(some.flatMap(flvTagParts))))
        )
        yield* Effect.forkScoped(Effect.catchTag(fed, "Done", () => run.close))
        const next = Effect.catchTag(run.next, "FfmpegFailed", (failure) =>
          Effect.andThen(Effect.logWarning("A live broke", failure), Effect.fail(broken))
        )
        return { next }
      })

      return LocalRuns.of({ start })
    })
  )
}
