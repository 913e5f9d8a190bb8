import type { Forbidden, UnauthorizedRequest } from "@kinora/domain/errors/AuthErrors"
import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ActorHandle } from "@kinora/domain/ids/ActorHandle"
import type { ChannelSearch, PlaylistSearch } from "@kinora/domain/requests/ChannelSearchQuery"
import type { VideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import { toSearchedList, type VideoSearchQuery } from "@kinora/domain/requests/VideoSearchQuery"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { emptyPage, type Json, jsonOf, type JsonPage } from "@kinora/domain/wire/Json"
import type { VideoList } from "@kinora/domain/wire/Video"
import type { VideoChannel } from "@kinora/domain/wire/VideoChannel"
import type { VideoPlaylist } from "@kinora/domain/wire/VideoPlaylist"
import { Actors } from "@kinora/storage/people/actor/Actors"
import { ChannelSearches } from "@kinora/storage/video/search/ChannelSearches"
import { PlaylistSearches } from "@kinora/storage/video/search/PlaylistSearches"
import { VideoLists } from "@kinora/storage/video/list/VideoLists"
import type { VideoScope, VideoViewer } from "@kinora/storage/video/read/VideoQuery"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { permittedQuery } from "../list/ListQuery.ts"
import { mayLookUp } from "../../people/rights/LookUpRight.ts"
import { readerOf } from "../list/Reader.ts"
import { RemoteLookup } from "./RemoteLookup.ts"
import { knownAs, type SearchedAddress, searchedAddress } from "./SearchedAddress.ts"
import { playlistKnownAs, searchedPlaylist } from "./SearchedPlaylist.ts"

type Searcher = Option.Option<CurrentUserShape>

/** Something by the address it has at home. */
type Found = Extract<SearchedAddress, { readonly _tag: "Url" }>

export type SearchRefused = InvalidParameters

const itemsOf = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ data: Schema.Array(Schema.Unknown) })))

/** No videos, where the total is not asked for. */
const noVideos = jsonOf<VideoList>(`{"data":[]}`)
const isNothing = (body: string): boolean => body === emptyPage || body === noVideos

/** Who gives an address has what is there, unlisted or not; an id alone shows only what is listed. */
const isAddress = (text: string): boolean => /^\s*https?:/i.test(text)

/** Searches, answered as JSON text. */
export class Searches extends Context.Service<
  Searches,
  {
    readonly videos: (
      query: VideoSearchQuery,
      user: Searcher
    ) => Effect.Effect<Json<VideoList>, UnauthorizedRequest | Forbidden | DatabaseUnavailable>
    readonly channels: (
      search: ChannelSearch,
      user: Searcher
    ) => Effect.Effect<JsonPage<VideoChannel>, DatabaseUnavailable>
    readonly playlists: (
      search: PlaylistSearch,
      user: Searcher
    ) => Effect.Effect<JsonPage<VideoPlaylist>, DatabaseUnavailable>
    /** Refuses a search of the search index. Without a text, the filters alone say what is searched for. */
    readonly check: (target: "local" | "search-index" | undefined) => Effect.Effect<void, SearchRefused>
  }
>()("@kinora/node/search/Searches") {
  static readonly layer = Layer.effect(
    Searches,
    Effect.gen(function* () {
      const config = yield* KinoraConfig
      const actors = yield* Actors
      const lists = yield* VideoLists
      const channelSearches = yield* ChannelSearches
      const playlistSearches = yield* PlaylistSearches
      const remote = yield* RemoteLookup
      const { origin } = config.derived
      const ownHost = new URL(origin).host

      const mayDiscover = (user: Searcher): boolean =>
        Option.isSome(user) ? config.search.remote_uri.users : config.search.remote_uri.anonymous

      const remoteAddress = (address: SearchedAddress): string | undefined => {
        if (address._tag === "Url") return URL.parse(address.url)?.origin === origin ? undefined : address.url
        if (address._tag === "Uuid") return undefined
        const { host, name } = address.handle
        return host === null || host === ownHost ? undefined : `${name}@${host}`
      }

      /** Looks for something that has one address: where it is not known and may be asked for, it is made known first. */
      const known = Effect.fnUntraced(function* <A extends SearchedAddress, Text extends string, E>(
        address: A,
        user: Searcher,
        look: (address: A | Found) => Effect.Effect<Text, E>
      ) {
        const found = yield* look(address)
        const elsewhere = remoteAddress(address)
        if (!isNothing(found) || elsewhere === undefined || !mayDiscover(user)) return found
        const id = yield* remote.discover(elsewhere)
        if (Option.isNone(id)) return found
        const again = yield* look(address)
        // What people know by the address of a page, or by a handle elsewhere, has another address of its own.
        return isNothing(again) ? yield* look({ _tag: "Url", url: id.value }) : again
      })

      /** The videos of a channel or an account are those its handle finds. */
      const scopeOf = Effect.fnUntraced(function* (handle: ActorHandle, user: Searcher) {
        const unfollowed = handle.host !== null && handle.host !== ownHost && mayDiscover(user)
        const channel = yield* actors.channel(handle)
        if (Option.isSome(channel))
          return { _tag: "Channel", channelId: channel.value.id, unfollowed } satisfies VideoScope
        const account = yield* actors.account(handle)
        return Option.isSome(account)
          ? ({ _tag: "Account", accountId: account.value.id, unfollowed } satisfies VideoScope)
          : undefined
      })

      /**
       * What has one address is counted as it is read: a total that was counted before somebody had it looked up may be
       * told for a minute.
       */
      const one = Effect.fnUntraced(function* (list: VideoListQuery, reader: VideoViewer | undefined) {
        if (list.skipCount || list.start > 0) return yield* lists.list(list, reader)
        const body = yield* lists.list({ ...list, skipCount: true }, reader)
        const { length } = itemsOf(body).data
        return length < list.count
          ? jsonOf<VideoList>(`{"total":${length},${body.slice(1)}`)
          : yield* lists.list(list, reader)
      })

      /** What the instance does not follow is found by its name alone, by those who may look it up. */
      const named = (list: VideoListQuery, user: Searcher): VideoListQuery =>
        mayDiscover(user) ? { ...list, narrowing: { ...list.narrowing, lookedUp: true } } : list

      const videosAt = (address: SearchedAddress, list: VideoListQuery, user: Searcher) => {
        const { narrowing, search: text = "", ...others } = named(list, user)
        const reader = readerOf(user)
        switch (address._tag) {
          case "Uuid":
            return one(
              { ...others, narrowing: { ...narrowing, uuids: [address.uuid], addressed: isAddress(text) } },
              reader
            )
          case "Url":
            return one({ ...others, narrowing: { ...narrowing, urls: knownAs(address.url), addressed: true } }, reader)
          case "Handle":
            return Effect.flatMap(scopeOf(address.handle, user), (scope) =>
              scope === undefined
                ? Effect.succeed(list.skipCount ? noVideos : emptyPage)
                : lists.list({ ...others, ...(narrowing === undefined ? {} : { narrowing }) }, reader, scope)
            )
        }
      }

      const videos = Effect.fn("Searches.videos")(function* (query: VideoSearchQuery, user: Searcher) {
        const list = yield* Effect.fromResult(
          permittedQuery(toSearchedList(query), user, config.instance.default_nsfw_policy)
        )
        const address = list.search === undefined ? undefined : searchedAddress(list.search, origin)
        if (address !== undefined) {
          const found = yield* known(address, user, (it) => videosAt(it, list, user))
          const certain = address._tag === "Url" || (address._tag === "Uuid" && address.certain)
          if (certain || (address._tag === "Handle" && address.handle.host !== null) || !isNothing(found)) return found
        }
        const isNamed = list.narrowing?.uuids !== undefined
        return yield* lists.list(isNamed ? named(list, user) : list, readerOf(user))
      })

      const channels = Effect.fn("Searches.channels")(function* (search: ChannelSearch, user: Searcher) {
        const viewer = readerOf(user)?.accountId
        const address = search.text === undefined ? undefined : searchedAddress(search.text, origin)
        if (address !== undefined && address._tag !== "Uuid") {
          const { text: _text, ...rest } = search
          const others = { ...rest, unfollowed: mayLookUp(config.search.remote_uri, user) }
          const exact = (it: typeof address | Found): ChannelSearch =>
            it._tag === "Url" ? { ...others, urls: knownAs(it.url) } : { ...others, only: it.handle }
          const found = yield* known(address, user, (it) => channelSearches.list(exact(it), viewer))
          if (address._tag === "Url" || address.handle.host !== null || !isNothing(found)) return found
        }
        const isNamed = search.handles !== undefined
        const unfollowed = isNamed && mayLookUp(config.search.remote_uri, user)
        return yield* channelSearches.list({ ...search, unfollowed }, viewer)
      })

      const playlists = Effect.fn("Searches.playlists")(function* (search: PlaylistSearch, user: Searcher) {
        const viewer = readerOf(user)?.accountId
        const address = search.text === undefined ? undefined : searchedPlaylist(search.text, origin)
        if (address !== undefined) {
          const { text = "", ...rest } = search
          const others = { ...rest, unfollowed: mayLookUp(config.search.remote_uri, user) }
          const exact = (it: typeof address): PlaylistSearch =>
            it._tag === "Uuid"
              ? { ...others, uuids: [it.uuid], addressed: isAddress(text) }
              : { ...others, urls: playlistKnownAs(it.url), addressed: true }
          const found = yield* known(address, user, (it) => playlistSearches.list(exact(it), viewer))
          if (address._tag === "Url" || address.certain || !isNothing(found)) return found
        }
        const isNamed = search.uuids !== undefined
        const unfollowed = isNamed && mayLookUp(config.search.remote_uri, user)
        return yield* playlistSearches.list({ ...search, unfollowed }, viewer)
      })

      const check = Effect.fnUntraced(function* (target: "local" | "search-index" | undefined) {
        if (target === "search-index") {
          return yield* InvalidParameters.one("searchTarget", "This instance asks no search index", "query", target)
        }
      })

      return Searches.of({ videos, channels, playlists, check })
    })
  ).pipe(Layer.provide(Layer.merge(ChannelSearches.layer, PlaylistSearches.layer)))
}
