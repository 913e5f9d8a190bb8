import { AccountNotFound, type ActorNotFound, VideoChannelNotFound } from "@kinora/domain/errors/ActorErrors"
import { VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import { parseActorHandle } from "@kinora/domain/ids/ActorHandle"
import { parseVideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import { wantsActivity } from "@kinora/federation/negotiation/Accept"
import { type ActorCollection, ActorCollections } from "@kinora/storage/federation/activitypub/ActorCollections"
import { ActorOutboxes } from "@kinora/storage/federation/activitypub/ActorOutboxes"
import { type ActorKind, ActorObjects } from "@kinora/storage/federation/activitypub/ActorObjects"
import { Effect, Option } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { applicationActorName } from "./ApplicationActor.ts"
import { ActivityPubResponder } from "./ActivityPubResponder.ts"
import { activityAnswer, activityResponse, foundResponse, queryOf, whenFederating } from "./ActivityAnswer.ts"
import { rateDocument } from "./documents/Activities.ts"
import { playerSettingsDocument } from "./documents/VideoParts.ts"
import { makeOutboxItems } from "./OutboxItems.ts"
import { addresses, collectionText, readPaging, sliceOf } from "./Paging.ts"

const collections: ReadonlyArray<ActorCollection> = ["followers", "following", "playlists"]
const rates = ["like", "dislike"] as const

const kinds: ReadonlyArray<{
  readonly folder: "accounts" | "video-channels"
  readonly kind: ActorKind
  readonly absent: () => AccountNotFound | VideoChannelNotFound | ActorNotFound
}> = [
  { folder: "accounts", kind: "account", absent: () => new AccountNotFound() },
  { folder: "video-channels", kind: "channel", absent: () => new VideoChannelNotFound() }
]

/** What stands below the addresses of accounts and channels of this instance. */
export const ActorActivityRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const objects = yield* ActorObjects
    const lists = yield* ActorCollections
    const outboxItems = yield* makeOutboxItems
    const outboxes = yield* ActorOutboxes
    const responder = yield* ActivityPubResponder
    const federating = yield* whenFederating
    const ownHost = (yield* KinoraConfig).derived.host.toLowerCase()

    /** The name of somebody here; collections of others are read where they are. */
    const localName = Effect.fnUntraced(function* (absent: (typeof kinds)[number]["absent"]) {
      const handle = parseActorHandle((yield* HttpRouter.params)["name"] ?? "")
      if (handle === undefined || (handle.host !== null && handle.host !== ownHost)) return yield* absent()
      return handle.name
    })

    for (const { absent, folder, kind } of kinds) {
      /** Whose collection is asked for. */
      const owner = Effect.map(localName(absent), (name) => ({
        name,
        of: kind === "account" && name.toLowerCase() === applicationActorName ? ("instance" as const) : kind
      }))
      for (const collection of collections) {
        const read = Effect.fnUntraced(function* (url: string) {
          const paging = yield* Effect.fromResult(readPaging(queryOf(url)))
          const { name, of } = yield* owner
          const found = yield* lists.read(name, of, collection, sliceOf(paging))
          if (Option.isNone(found)) return yield* absent()
          return activityResponse("Collection", collectionText(addresses(found.value), paging))
        })
        yield* router.add("GET", `/${folder}/:name/${collection}`, (request) =>
          activityAnswer(federating(read(request.url)))
        )
      }

      const outbox = Effect.fnUntraced(function* (url: string) {
        const paging = yield* Effect.fromResult(readPaging(queryOf(url), true))
        const { name, of } = yield* owner
        const found = yield* outboxes.read(name, of, sliceOf(paging))
        if (Option.isNone(found)) return yield* absent()
        const items = yield* outboxItems(found.value, of)
        // Whole videos stand in the outboxes of accounts.
        return activityResponse(
          of === "account" ? "Video" : "Collection",
          collectionText({ ...found.value, items }, paging)
        )
      })
      yield* router.add("GET", `/${folder}/:name/outbox`, (request) => activityAnswer(federating(outbox(request.url))))
    }

    const playerSettings = Effect.gen(function* () {
      const absent = () => new VideoChannelNotFound()
      const name = yield* localName(absent)
      return yield* foundResponse("PlayerSettings", yield* objects.channelPlayerSettings(name), {
        absent,
        encode: playerSettingsDocument
      })
    })
    yield* router.add("GET", "/video-channels/:name/player-settings", activityAnswer(federating(playerSettings)))

    for (const rate of rates) {
      const read = Effect.gen(function* () {
        const name = yield* localName(() => new AccountNotFound())
        const id = parseVideoIdOrUuid((yield* HttpRouter.params)["videoId"] ?? "")
        if (id === undefined) return yield* new VideoNotFound()
        return yield* foundResponse("Rate", yield* objects.rate(name, id, rate), {
          absent: () => new VideoNotFound(),
          encode: rateDocument
        })
      })
      yield* router.add("GET", `/accounts/:name/${rate}s/:videoId`, activityAnswer(federating(read)))
    }

    yield* router.add("GET", "/account/:name", (request) =>
      Effect.gen(function* () {
        const { name = "" } = yield* HttpRouter.params
        const response = wantsActivity(request.headers["accept"])
          ? yield* activityAnswer(responder.actor(name, "account"))
          : HttpServerResponse.redirect(`/a/${encodeURIComponent(name)}`, { status: 302 })
        return HttpServerResponse.setHeader(response, "vary", "Accept")
      })
    )
  })
)
