import { Effect, Layer, PubSub, Schema } from "effect"
import { Peers } from "../../platform/cluster/Peers.ts"
import { Placement } from "../../platform/cluster/Placement.ts"
import { Supervisor } from "../../platform/supervision/Supervisor.ts"
import { LiveEvents } from "../session/LiveEvents.ts"

const Event = Schema.Struct({
  videoId: Schema.Int,
  uuid: Schema.String,
  state: Schema.Int,
  forced: Schema.optionalKey(Schema.Boolean)
})
const decodeEvent = Schema.decodeUnknownEffect(Event)

/** Sockets of every node hear of the lives of every node. */
export const eventsElsewhere = Layer.effectDiscard(
  Effect.gen(function* () {
    const { several } = yield* Placement
    if (!several) return
    const supervisor = yield* Supervisor
    const events = yield* LiveEvents
    const peers = yield* Peers
    yield* peers.answer("live-event", (input) =>
      Effect.flatMap(Effect.orDie(decodeEvent(input)), (event) => PubSub.publish(events, { ...event, elsewhere: true }))
    )
    const pass = Effect.gen(function* () {
      const changes = yield* PubSub.subscribe(events)
      for (;;) {
        const event = yield* PubSub.take(changes)
        if (event.elsewhere !== true) yield* peers.broadcast("live-event", event)
      }
    })
    yield* supervisor.run("live events for other nodes", Effect.scoped(pass))
  })
)
