import { type DatabaseUnavailable, ServiceUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { LiveHealth } from "@kinora/domain/wire/LiveHealth"
import { LiveHolders } from "@kinora/storage/live/LiveHolders"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { type PeerUnreachable, Peers } from "../../platform/cluster/Peers.ts"
import { LiveSettings } from "../settings/LiveSettings.ts"
import type { LiveEnd } from "../session/LiveEnd.ts"
import type { LiveMoment } from "../session/RunningLive.ts"
import { RunningLives } from "../session/RunningLives.ts"

type Failure = DatabaseUnavailable | ServiceUnavailable

const Asked = Schema.Struct({ videoId: Schema.Int })
const End = Schema.Struct({ videoId: Schema.Int, error: Schema.NullOr(Schema.Int), reason: Schema.String })
const Moment = Schema.NullOr(
  Schema.Struct({ sessionId: Schema.Int, saveReplay: Schema.Boolean, run: Schema.Int, offset: Schema.Finite })
)

const decodeAsked = Schema.decodeUnknownEffect(Asked)
const decodeEnd = Schema.decodeUnknownEffect(End)
const decodeEnded = Schema.decodeUnknownEffect(Schema.Boolean)
const decodeHealth = Schema.decodeUnknownEffect(LiveHealth)
const decodeMoment = Schema.decodeUnknownEffect(Moment)

const unreachable = (error: PeerUnreachable) =>
  Effect.andThen(
    Effect.logWarning("The node of a live does not answer", error),
    Effect.fail(
      new ServiceUnavailable({ reason: "The node that takes this live cannot be reached", retryAfterSeconds: 5 })
    )
  )

/** Lives that are being published, through whichever node: the session of each is where its publisher is. */
export class LivesAnywhere extends Context.Service<
  LivesAnywhere,
  {
    /** As those of `RunningLives`. */
    readonly end: (videoId: number, reason: LiveEnd) => Effect.Effect<boolean, Failure>
    readonly health: (videoId: number) => Effect.Effect<LiveHealth, Failure>
    readonly moment: (videoId: number) => Effect.Effect<LiveMoment | undefined, Failure>
  }
>()("@kinora/node/live/elsewhere/LivesAnywhere") {
  static readonly layer = Layer.effect(
    LivesAnywhere,
    Effect.gen(function* () {
      const lives = yield* RunningLives
      const holders = yield* LiveHolders
      const peers = yield* Peers
      const { holder } = yield* LiveSettings

      yield* peers.answer("live-end", (input) =>
        Effect.orDie(
          Effect.flatMap(decodeEnd(input), ({ error, reason, videoId }) =>
            lives.end(videoId, { error: error as LiveEnd["error"], reason })
          )
        )
      )
      yield* peers.answer("live-health", (input) =>
        Effect.orDie(Effect.flatMap(decodeAsked(input), ({ videoId }) => lives.health(videoId)))
      )
      yield* peers.answer("live-moment", (input) =>
        Effect.orDie(Effect.flatMap(decodeAsked(input), ({ videoId }) => lives.moment(videoId)))
      )

      /** Does it here, or has the node do it that holds the session. */
      const anywhere = <A>(
        videoId: number,
        here: Effect.Effect<A>,
        there: (node: string) => Effect.Effect<A, PeerUnreachable>
      ): Effect.Effect<A, Failure> =>
        Effect.gen(function* () {
          if (lives.isHere(videoId)) return yield* here
          const node = yield* holders.byId(videoId)
          if (Option.isNone(node) || node.value === holder) return yield* here
          return yield* Effect.catchTag(there(node.value), "PeerUnreachable", unreachable)
        })

      return LivesAnywhere.of({
        end: (videoId, reason) =>
          anywhere(videoId, lives.end(videoId, reason), (node) =>
            Effect.flatMap(peers.call(node, "live-end", { videoId, ...reason }), (it) => Effect.orDie(decodeEnded(it)))
          ),
        health: (videoId) =>
          anywhere(videoId, lives.health(videoId), (node) =>
            Effect.flatMap(peers.call(node, "live-health", { videoId }), (it) => Effect.orDie(decodeHealth(it)))
          ),
        moment: (videoId) =>
          anywhere(videoId, lives.moment(videoId), (node) =>
            Effect.flatMap(peers.call(node, "live-moment", { videoId }), (it) =>
              Effect.map(Effect.orDie(decodeMoment(it)), (moment) => moment ?? undefined)
            )
          )
      })
    })
  ).pipe(Layer.provide(LiveHolders.layer))
}
