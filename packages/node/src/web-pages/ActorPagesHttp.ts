import { ActorNotFound } from "@kinora/domain/errors/ActorErrors"
import { Clock, Effect } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { ActivityPubResponder } from "../federation/activitypub/ActivityPubResponder.ts"
import { actorPage, actorPath, type ActorTab, tabsOf } from "./ActorPage.ts"
import { handleOf, pagedCards } from "./Cards.ts"
import { ClientAssets } from "./ClientAssets.ts"
import { channelRows, playlistCards } from "./ListCards.ts"
import { pageSize } from "./ListPage.ts"
import { negotiated, pageAnswer, pageResponse } from "./PageAnswer.ts"
import { type PageActor, PageActors, parseHandle } from "./PageActors.ts"
import { PageInstance } from "./PageInstance.ts"
import { PageLists } from "./PageLists.ts"
import { startOf } from "./PageQuery.ts"
import type { PageLanguage } from "./language/PageLanguage.ts"
import type { Surroundings } from "./Layout.ts"
import { PageVideos } from "./PageVideos.ts"

type ActorKind = PageActor["kind"] | "any"

/** Pages of accounts and channels, under the URLs that clients and other instances link to. */
export const ActorPageRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const site = { instance: yield* PageInstance, assets: yield* ClientAssets }
    const videos = yield* PageVideos
    const actors = yield* PageActors
    const lists = yield* PageLists
    const responder = yield* ActivityPubResponder
    const ownHost = new URL(site.instance.origin).host

    /** What a tab shows; undefined when there is nothing to show. */
    const contentOf = Effect.fnUntraced(function* (
      language: PageLanguage,
      found: PageActor,
      tab: ActorTab,
      start: number
    ) {
      const part = { start, count: pageSize }
      const now = yield* Clock.currentTimeMillis
      const shown = { path: actorPath(found, ownHost, tab), start, language, ownHost, now }
      switch (tab) {
        case "about":
          return undefined
        case "video-channels": {
          const list = yield* lists.channelsOf(found, part)
          return list.data.length === 0 ? undefined : channelRows(list, shown)
        }
        case "video-playlists": {
          const list = yield* lists.playlistsOf(found, part)
          return list.data.length === 0 ? undefined : playlistCards(list, shown)
        }
        case "videos": {
          const owner = handleOf(found.actor, ownHost)
          const whose = found.kind === "account" ? { account: owner } : { channel: owner }
          const list = yield* videos.list({ ...part, ...whose, sort: "-publishedAt", includeScheduledLive: true })
          return list.data.length === 0 ? undefined : pagedCards(list, shown)
        }
      }
    })

    const page = Effect.fn("Pages.actor")(function* (
      surroundings: Surroundings,
      nameWithHost: string,
      kind: ActorKind,
      tab: ActorTab
    ) {
      const handle = parseHandle(nameWithHost, ownHost)
      if (handle === undefined) return yield* new ActorNotFound()
      const start = startOf(yield* HttpServerRequest.ParsedSearchParams)
      const found = yield* actors.byHandle(handle, kind)
      const content = yield* contentOf(surroundings.language, found, tab, start)
      const indexable = yield* actors.indexable([found.actor.url])
      return pageResponse(surroundings, actorPage(surroundings, { found, tab, content, indexable }))
    })

    const route = (kind: ActorKind, tab: ActorTab = "videos") =>
      Effect.flatMap(HttpRouter.params, ({ nameWithHost = "" }) =>
        negotiated(
          () => responder.actor(nameWithHost, kind),
          pageAnswer(site, (surroundings) => page(surroundings, nameWithHost, kind, tab))
        )
      )

    for (const path of ["/a/:nameWithHost", "/accounts/:nameWithHost"] as const) {
      yield* router.add("GET", path, route("account"))
      for (const tab of tabsOf("account")) yield* router.add("GET", `${path}/${tab}`, route("account", tab))
    }
    for (const path of ["/c/:nameWithHost", "/video-channels/:nameWithHost"] as const) {
      yield* router.add("GET", path, route("channel"))
      for (const tab of tabsOf("channel")) yield* router.add("GET", `${path}/${tab}`, route("channel", tab))
    }
    yield* router.add("GET", "/@:nameWithHost", route("any"))
  })
)
