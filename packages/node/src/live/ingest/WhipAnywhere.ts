import { PublicationNotFound, StreamKeyUnknown } from "@kinora/domain/errors/LiveErrors"
import { type DatabaseUnavailable, ServiceUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Redacted, Result, Schema } from "effect"
import { type PeerUnreachable, Peers } from "../../platform/cluster/Peers.ts"
import { LiveSettings } from "../settings/LiveSettings.ts"
import { type WhipAnswer, WhipDoor, type WhipRefused, type WhipRequest } from "./WhipDoor.ts"
import { refusalOf, WhipRefusal, wireRefusal } from "./WhipRefusal.ts"

const Publish = Schema.Struct({ key: Schema.String, address: Schema.String, offer: Schema.String })
const Published = Schema.Union([
  Schema.Struct({ id: Schema.String, answer: Schema.String }),
  Schema.Struct({ refused: WhipRefusal })
])
const End = Schema.Struct({ id: Schema.String, key: Schema.String })
const Ended = Schema.Literals(["ended", "not found", "unknown key"])

const decodePublish = Schema.decodeUnknownEffect(Publish)
const decodePublished = Schema.decodeUnknownEffect(Published)
const decodeEnd = Schema.decodeUnknownEffect(End)
const decodeEnded = Schema.decodeUnknownEffect(Ended)

/** Node names end in `/` and eight characters that no other node has (`nodeName`). */
const suffixOf = (node: string): string => node.slice(node.lastIndexOf("/") + 1)

const away = (error: PeerUnreachable) =>
  Effect.andThen(
    Effect.logWarning("The node of a publisher by WebRTC does not answer", error),
    Effect.fail(
      new ServiceUnavailable({ reason: "The node that takes this publisher cannot be reached", retryAfterSeconds: 5 })
    )
  )

type Unavailable = ServiceUnavailable | DatabaseUnavailable

/**
 * Publications by WebRTC through whichever node a request comes to. The identifier of a publication begins with that of the
 * node that takes its media, which alone can end it; a node that takes no lives passes offers to one that does.
 */
export class WhipAnywhere extends Context.Service<
  WhipAnywhere,
  {
    /** As {@link WhipDoor}'s. */
    readonly publish: (request: WhipRequest) => Effect.Effect<WhipAnswer, WhipRefused | Unavailable>
    readonly end: (
      id: string,
      key: Redacted.Redacted<string>
    ) => Effect.Effect<void, PublicationNotFound | StreamKeyUnknown | Unavailable>
  }
>()("@kinora/node/live/ingest/WhipAnywhere") {
  static readonly layer = Layer.effect(
    WhipAnywhere,
    Effect.gen(function* () {
      const door = yield* WhipDoor
      const peers = yield* Peers
      const { holder } = yield* LiveSettings
      const own = suffixOf(holder)

      const publishHere = (request: WhipRequest) =>
        Effect.map(door.publish(request), ({ answer, id }) => ({ answer, id: `${own}-${id}` }))

      const endHere = (id: string, key: Redacted.Redacted<string>) => door.end(id.slice(own.length + 1), key)

      yield* peers.answer("whip-publish", (input) =>
        Effect.orDie(decodePublish(input)).pipe(
          Effect.flatMap(({ address, key, offer }) => publishHere({ address, key: Redacted.make(key), offer })),
          Effect.catch((error) => Effect.succeed({ refused: wireRefusal(error) }))
        )
      )
      yield* peers.answer("whip-end", (input) =>
        Effect.orDie(decodeEnd(input)).pipe(
          Effect.flatMap(({ id, key }) => endHere(id, Redacted.make(key))),
          Effect.as<typeof Ended.Type>("ended"),
          Effect.catchTags({
            PublicationNotFound: () => Effect.succeed<typeof Ended.Type>("not found"),
            StreamKeyUnknown: () => Effect.succeed<typeof Ended.Type>("unknown key")
          })
        )
      )

      const publishAt = Effect.fnUntraced(function* (node: string, { address, key, offer }: WhipRequest) {
        const input: typeof Publish.Type = { address, key: Redacted.value(key), offer }
        const given = yield* Effect.catchTag(peers.call(node, "whip-publish", input), "PeerUnreachable", away)
        const published = yield* Effect.orDie(decodePublished(given))
        if ("refused" in published) return yield* refusalOf(published.refused)
        return published
      })

      return WhipAnywhere.of({
        publish: Effect.fn("WhipAnywhere.publish")(function* (request) {
          if (door.isOpen()) return yield* publishHere(request)
          const takers = (yield* peers.others).filter(({ roles }) => roles.includes("ingest"))
          // One that has no room leaves it to the next.
          for (const { name } of takers.slice(0, -1)) {
            const made = yield* Effect.result(publishAt(name, request))
            if (Result.isSuccess(made)) return made.success
            const { _tag: why } = made.failure
            if (why !== "PublishingUnavailable" && why !== "ServiceUnavailable") return yield* Effect.fail(made.failure)
          }
          const last = takers.at(-1)
          return yield* last === undefined ? publishHere(request) : publishAt(last.name, request)
        }),
        end: Effect.fn("WhipAnywhere.end")(function* (id, key) {
          if (id.startsWith(`${own}-`)) return yield* endHere(id, key)
          const node = (yield* peers.others).find(({ name }) => id.startsWith(`${suffixOf(name)}-`))
          if (node === undefined) return yield* new PublicationNotFound()
          const input: typeof End.Type = { id, key: Redacted.value(key) }
          const given = yield* Effect.catchTag(peers.call(node.name, "whip-end", input), "PeerUnreachable", away)
          const ended = yield* Effect.orDie(decodeEnded(given))
          if (ended === "not found") return yield* new PublicationNotFound()
          if (ended === "unknown key") return yield* new StreamKeyUnknown()
        })
      })
    })
  )
}
