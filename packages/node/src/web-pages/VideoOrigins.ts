import { NodeInfo } from "@kinora/federation/discovery/NodeInfo"
import type { VideoDetails } from "@kinora/domain/wire/Video"
import { Cache, Context, Effect, Exit, Layer, Option } from "effect"
import { KinoraConfig } from "../platform/config/Config.ts"
import { expressible, originsOf } from "./Policy.ts"

/** Hosts that are remembered, for how long, and after how long one that did not answer is asked again. */
const capacity = 500
const kept = "1 hour"
const retried = "10 minutes"

/** Hosts that are asked at once: views of pages alone must not make many requests. */
const askedAtOnce = 4

/**
 * Origins that files of a video come from. Those of a remote one are named by its object; where else its instance sends readers,
 * to its object storage, it says in its NodeInfo. That is asked in the background and remembered in memory: until then the
 * player does without (`Redirects.ts` of the player).
 */
export class VideoOrigins extends Context.Service<
  VideoOrigins,
  {
    readonly of: (video: VideoDetails) => Effect.Effect<ReadonlyArray<string>>
  }
>()("@kinora/node/pages/VideoOrigins") {
  static readonly layer = Layer.effect(
    VideoOrigins,
    Effect.gen(function* () {
      const nodeInfo = yield* NodeInfo
      const scope = yield* Effect.scope
      const { origin } = (yield* KinoraConfig).derived
      const asking = new Set<string>()

      const said = yield* Cache.makeWith((host: string) => nodeInfo.mediaOrigins(host), {
        capacity,
        timeToLive: (exit) => (Exit.isSuccess(exit) ? kept : retried)
      })

      const ask = Effect.fnUntraced(function* (host: string) {
        if (asking.has(host) || asking.size >= askedAtOnce) return
        asking.add(host)
        yield* Cache.get(said, host).pipe(
          // A host that does not answer, or not with what is asked, has said nothing.
          Effect.ignore,
          Effect.ensuring(Effect.sync(() => asking.delete(host))),
          Effect.forkIn(scope)
        )
      })

      const known = Effect.fnUntraced(function* (host: string) {
        if (asking.has(host)) return []
        const exit = yield* Effect.exit(Cache.getOption(said, host))
        if (Exit.isFailure(exit)) return []
        if (Option.isSome(exit.value)) return exit.value.value
        yield* ask(host)
        return []
      })

      return VideoOrigins.of({
        of: (video) =>
          video.isLocal
            ? Effect.succeed([])
            : Effect.map(known(video.account.host), (more) => [
                ...new Set([...originsOf(video, origin), ...expressible(more, origin)])
              ])
      })
    })
  ).pipe(Layer.provide(NodeInfo.layerNoDeps))
}
