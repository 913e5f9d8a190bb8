import { ActorNotFound } from "@kinora/domain/errors/ActorErrors"
import { Clock, Effect } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { ActivityPubResponder } from "../federation/activitypub/ActivityPubResponder.ts"
import { actorPage } from "./ActorPage.ts"
import { handleOf } from "./Cards.ts"
import { ClientAssets } from "./ClientAssets.ts"
import { pageSize } from "./ListPage.ts"
import { negotiated, pageAnswer, pageResponse } from "./PageAnswer.ts"
import { PageActors, parseHandle } from "./PageActors.ts"
import { PageInstance } from "./PageInstance.ts"
import { startOf } from "./PageQuery.ts"
import { PageVideos } from "./PageVideos.ts"

/** Pages of accounts and channels, under the URLs that clients and other instances link to. */
export const ActorPageRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const surroundings = { instance: yield* PageInstance, assets: yield* ClientAssets }
    const videos = yield* PageVideos
    const actors = yield* PageActors
    const responder = yield* ActivityPubResponder
    const ownHost = new URL(surroundings.instance.origin).host

    const page = Effect.fn("Pages.actor")(function* (nameWithHost: string, kind: "account" | "channel" | "any") {
      const handle = parseHandle(nameWithHost, ownHost)
      if (handle === undefined) return yield* new ActorNotFound()
      const start = startOf(yield* HttpServerRequest.ParsedSearchParams)
      const found = yield* actors.byHandle(handle, kind)
      const owner = handleOf(found.actor, ownHost)
      const list = yield* videos.list({
        start,
        count: pageSize,
        sort: "-publishedAt",
        ...(found.kind === "account" ? { account: owner } : { channel: owner })
      })
      const indexable = yield* actors.indexable([found.actor.url])
      const now = yield* Clock.currentTimeMillis
      return pageResponse(surroundings, actorPage(surroundings, { found, list, start, indexable, now }))
    })

    const route = (kind: "account" | "channel" | "any") =>
      Effect.flatMap(HttpRouter.params, ({ nameWithHost = "" }) =>
        negotiated(() => responder.actor(nameWithHost, kind), pageAnswer(surroundings, page(nameWithHost, kind)))
      )

    for (const path of ["/a/:nameWithHost", "/accounts/:nameWithHost"] as const) {
      yield* router.add("GET", path, route("account"))
      yield* router.add("GET", `${path}/videos`, route("account"))
      yield* router.add("GET", `${path}/video-channels`, route("account"))
    }
    for (const path of ["/c/:nameWithHost", "/video-channels/:nameWithHost"] as const) {
      yield* router.add("GET", path, route("channel"))
      yield* router.add("GET", `${path}/videos`, route("channel"))
    }
    yield* router.add("GET", "/@:nameWithHost", route("any"))
  })
)
