import { InvalidDeliveryDirectives } from "@kinora/domain/errors/LiveErrors"
import { ServiceUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { LiveHolders } from "@kinora/storage/live/LiveHolders"
import { Effect, Layer, Option, Schema } from "effect"
import { Peers } from "../../platform/cluster/Peers.ts"
import { Placement } from "../../platform/cluster/Placement.ts"
import { nodeName } from "../../platform/jobs/NodeName.ts"
import { inFlight } from "../../platform/memory/InFlight.ts"
import { recent } from "../../platform/memory/Recent.ts"
import { LiveElsewhere } from "../../video/file/LiveElsewhere.ts"
import { LiveParts } from "../../video/file/LiveParts.ts"
import { LivePlaylists } from "../../video/file/LivePlaylists.ts"

const Named = { uuid: Schema.String, name: Schema.String }
const Text = Schema.Struct({
  ...Named,
  segment: Schema.optionalKey(Schema.Int),
  part: Schema.optionalKey(Schema.Int),
  skip: Schema.Boolean
})
const TextAnswer = Schema.Union([
  Schema.Struct({ text: Schema.NullOr(Schema.String) }),
  Schema.Struct({ refused: Schema.Literals(["directives", "late"]) })
])
const Place = Schema.NullOr(
  Schema.Union([
    Schema.Struct({ base64: Schema.String }),
    Schema.Struct({
      key: Schema.Struct({
        bucket: Schema.Literals(["streaming_playlists", "streaming_playlists_private"]),
        name: Schema.String
      }),
      start: Schema.Int,
      length: Schema.Int
    })
  ])
)

const decodeText = Schema.decodeUnknownEffect(Text)
const decodeTextAnswer = Schema.decodeUnknownEffect(TextAnswer)
const decodePart = Schema.decodeUnknownEffect(Schema.Struct(Named))
const decodePlace = Schema.decodeUnknownEffect(Place)

const late = new ServiceUnavailable({ reason: "The live does not go on at the moment", retryAfterSeconds: 1 })

/** Lives whose nodes are remembered for a second. */
const most = 1_000

/** Answers other nodes' requests for playlists and parts of lives that are published here. */
const answers = Effect.gen(function* () {
  const peers = yield* Peers
  const playlists = yield* LivePlaylists
  const parts = yield* LiveParts
  yield* peers.answer("live-text", (input) =>
    Effect.orDie(decodeText(input)).pipe(
      Effect.flatMap(({ name, part, segment, skip, uuid }) => playlists.read(uuid, name, { segment, part, skip })),
      Effect.map((text): typeof TextAnswer.Type => ({ text: text ?? null })),
      Effect.catchTags({
        InvalidDeliveryDirectives: () => Effect.succeed({ refused: "directives" }),
        ServiceUnavailable: () => Effect.succeed({ refused: "late" })
      })
    )
  )
  yield* peers.answer("live-part", (input) =>
    Effect.orDie(Effect.flatMap(decodePart(input), ({ name, uuid }) => parts.read(uuid, name))).pipe(
      Effect.map((place) =>
        place !== undefined && "bytes" in place ? { base64: Buffer.from(place.bytes).toString("base64") } : place
      )
    )
  )
})

/** Finds playlists and parts of lives at the nodes that publish them. Complete segments are in the object store. */
export const liveFilesElsewhere = Layer.effect(
  LiveElsewhere,
  Effect.gen(function* () {
    const { several } = yield* Placement
    if (!several) return yield* LiveElsewhere
    yield* answers
    const peers = yield* Peers
    const holders = yield* LiveHolders
    const own = yield* nodeName
    const known = new Map<string, ReturnType<typeof holders.byUuid>>()

    const holderOf = (uuid: string) => {
      const found = known.get(uuid)
      if (found !== undefined) return found
      if (known.size >= most) known.delete(known.keys().next().value!)
      const made = recent(holders.byUuid(uuid), "1 second")
      known.set(uuid, made)
      return made
    }

    /** Players wait for the same parts: they are asked for once. */
    const calling = yield* inFlight<unknown, ServiceUnavailable>()

    /** Asks the node of a live, if it is another one; a node that is lost has nothing. */
    const ask = (uuid: string, what: string, input: unknown) =>
      Effect.flatMap(holderOf(uuid), (node) =>
        Option.isNone(node) || node.value === own
          ? Effect.undefined
          : calling(
              `${what} ${JSON.stringify(input)}`,
              Effect.catchTag(peers.call(node.value, what, input), "PeerUnreachable", () => Effect.fail(late))
            )
      )

    return {
      text: Effect.fnUntraced(function* (uuid, name, { part, segment, skip }) {
        if (!/\.(?:m3u8|json)$/.test(name)) return undefined
        const given = yield* ask(uuid, "live-text", { uuid, name, part, segment, skip })
        if (given === undefined) return undefined
        const answer = yield* Effect.orDie(decodeTextAnswer(given))
        if ("text" in answer) return answer.text ?? undefined
        return yield* answer.refused === "late" ? late : new InvalidDeliveryDirectives()
      }),
      part: Effect.fnUntraced(function* (uuid, name) {
        const given = yield* ask(uuid, "live-part", { uuid, name })
        if (given === undefined) return undefined
        const place = yield* Effect.orDie(decodePlace(given))
        if (place === null) return undefined
        return "base64" in place ? { bytes: Buffer.from(place.base64, "base64") } : place
      })
    } satisfies LiveElsewhere
  })
).pipe(Layer.provide(LiveHolders.layer))
