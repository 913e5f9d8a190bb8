import { PlaylistNotFound } from "@kinora/domain/errors/PlaylistErrors"
import { parsePlaylistIdOrUuid } from "@kinora/domain/ids/PlaylistIdOrUuid"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import type { VideoUuid } from "@kinora/domain/ids/VideoUuid"
import { Clock, Effect } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { ActivityPubResponder } from "../federation/activitypub/ActivityPubResponder.ts"
import { ClientAssets } from "./ClientAssets.ts"
import { embedSites, framedOnly } from "./EmbedSites.ts"
import { myPlaylistPage, myPlaylistsPage } from "./MyPlaylistPages.ts"
import type { Surroundings } from "./Layout.ts"
import { negotiated, pageAnswer, pageResponse, plainAnswer, words } from "./PageAnswer.ts"
import { PageInstance } from "./PageInstance.ts"
import { PagePlaylists } from "./PagePlaylists.ts"
import { PageVideos } from "./PageVideos.ts"
import { testEmbedPage } from "./PlainPages.ts"
import { absentPlaylistPage, playlistEmbedPage, playlistPage } from "./PlaylistPage.ts"
import { pageStart, placeOf, placesOnPage, positionOf } from "./PlaylistPlace.ts"
import { VideoOrigins } from "./VideoOrigins.ts"
import { showing } from "./Visibility.ts"

/** Pages and embeds of playlists (contract tag "HTML Pages"), and the pages where users manage their own. */
export const PlaylistPageRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const site = { instance: yield* PageInstance, assets: yield* ClientAssets }
    const playlists = yield* PagePlaylists
    const videos = yield* PageVideos
    const responder = yield* ActivityPubResponder
    const origins = yield* VideoOrigins
    const { origin } = site.instance

    /** The video with everything needed to play it. Undefined if it is no longer public. */
    const playedAt = Effect.fnUntraced(function* (uuid: string) {
      const id: VideoIdOrUuid = { _tag: "Uuid", uuid: uuid as VideoUuid }
      return yield* videos.byId(id).pipe(
        Effect.flatMap(({ details, facts }) => Effect.map(showing(facts, id), (shown) => ({ video: details, shown }))),
        Effect.catchTag("VideoNotFound", () => Effect.succeed(undefined))
      )
    })

    const found = Effect.fnUntraced(function* (text: string) {
      const id = parsePlaylistIdOrUuid(text)
      if (id === undefined) return yield* new PlaylistNotFound()
      const playlist = yield* playlists.byId(id)
      const query = yield* HttpServerRequest.ParsedSearchParams
      const asked = positionOf(query["playlistPosition"])
      const start = pageStart(Math.min(asked ?? 1, Math.max(1, playlist.videosLength)))
      const places = yield* playlists.elements(playlist.id, { start, count: placesOnPage })
      const place = placeOf(places, asked) ?? placeOf(places, undefined)
      const played = place?.video === undefined || place.video === null ? undefined : yield* playedAt(place.video.uuid)
      return { playlist, places, place, played }
    })

    const originsIn = Effect.fnUntraced(function* (page: Effect.Success<ReturnType<typeof found>>) {
      const remote = page.places.data.flatMap(({ video }) =>
        video === null || video.isLocal ? [] : video.thumbnails.map(({ fileUrl }) => new URL(fileUrl).origin)
      )
      return [...new Set([...remote, ...(page.played === undefined ? [] : yield* origins.of(page.played.video))])]
    })

    const watch = (surroundings: Surroundings, id: string) =>
      Effect.gen(function* () {
        const page = yield* found(id)
        const now = yield* Clock.currentTimeMillis
        return pageResponse(surroundings, playlistPage(surroundings, { ...page, now }), {
          origins: yield* originsIn(page)
        })
      }).pipe(
        Effect.catchTag("PlaylistNotFound", (error) =>
          Effect.succeed(
            pageResponse(surroundings, absentPlaylistPage(surroundings, ...words(surroundings.language, error)), {
              status: error.status
            })
          )
        )
      )

    const embed = Effect.fn("Pages.playlistEmbed")(function* (surroundings: Surroundings, id: string) {
      const page = yield* found(id)
      const framedBy = page.played === undefined ? undefined : yield* embedSites(videos, page.played.video, origin)
      return pageResponse(surroundings, playlistEmbedPage(surroundings, page), {
        framed: true,
        framedBy,
        origins: yield* originsIn(page),
        ...framedOnly(framedBy)
      })
    })

    const test = plainAnswer(site, (surroundings) => testEmbedPage(surroundings, "playlist", undefined), {
      framed: true
    })

    const playlistRoute = Effect.flatMap(HttpRouter.params, ({ id = "" }) =>
      negotiated(
        (url) => responder.playlist(id, url),
        pageAnswer(site, (surroundings) => watch(surroundings, id))
      )
    )
    yield* router.add("GET", "/w/p/:id", playlistRoute)
    yield* router.add("GET", "/videos/watch/playlist/:id", playlistRoute)
    yield* router.add(
      "GET",
      "/video-playlists/embed/:id",
      Effect.flatMap(HttpRouter.params, ({ id = "" }) =>
        pageAnswer(site, (surroundings) => embed(surroundings, id), { framed: true })
      )
    )
    yield* router.add("GET", "/video-playlists/test-embed", test)
    yield* router.add("GET", "/my-library/video-playlists", plainAnswer(site, myPlaylistsPage))
    yield* router.add("GET", "/my-library/video-playlists/:id", plainAnswer(site, myPlaylistPage))
  })
)
