import type { FlvTag } from "@kinora/ingest/flv/FlvTag"
import { PublishRefused } from "@kinora/ingest/Publisher"
import type { PlayRequest } from "@kinora/ingest/rtmp/Connection"
import { Clock, Context, Effect, Layer, Redacted, type Scope, type Stream } from "effect"
import { RateLimitStore } from "../../platform/http/RateLimitStore.ts"

/** Keys that open nothing, from one address. */
const wrongKeys = { max: 20, windowMillis: 60_000, exact: true }

/** Who may read streams by RTMP: those who were given a key for one. */
export class PlayKeys extends Context.Service<
  PlayKeys,
  {
    /** A key opens the stream until the scope closes. */
    readonly open: (key: string, stream: Stream.Stream<FlvTag>) => Effect.Effect<void, never, Scope.Scope>
    readonly play: (request: PlayRequest) => Effect.Effect<Stream.Stream<FlvTag>, PublishRefused>
  }
>()("@kinora/node/live/ingest/PlayKeys") {
  static readonly layer = Layer.effect(
    PlayKeys,
    Effect.gen(function* () {
      const limits = yield* RateLimitStore
      const streams = new Map<string, Stream.Stream<FlvTag>>()
      return PlayKeys.of({
        open: (key, stream) =>
          Effect.acquireRelease(
            Effect.sync(() => void streams.set(key, stream)),
            () => Effect.sync(() => void streams.delete(key))
          ),
        play: Effect.fn("PlayKeys.play")(function* ({ address, key }: PlayRequest) {
          const stream = streams.get(Redacted.value(key))
          if (stream !== undefined) return stream
          const { used } = yield* limits.hit(`play key ${address}`, wrongKeys, yield* Clock.currentTimeMillis)
          return yield* new PublishRefused({
            reason:
              used > wrongKeys.max
                ? "Too many wrong keys: try again in a minute"
                : "Lives are watched on the pages of the instance"
          })
        })
      })
    })
  )
}
