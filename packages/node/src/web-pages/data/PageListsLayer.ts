import { PlaylistType } from "@kinora/domain/enums/PlaylistType"
import type { ActorHandle } from "@kinora/domain/ids/ActorHandle"
import type { VideoChannel } from "@kinora/domain/wire/VideoChannel"
import type { VideoPlaylist } from "@kinora/domain/wire/VideoPlaylist"
import { Effect, Layer, Option, Schema } from "effect"
import { ListedChannels } from "../../people/channel/ListedChannels.ts"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { ListedPlaylists } from "../../social/playlist/ListedPlaylists.ts"
import { Searches } from "../../video/search/Searches.ts"
import { type Listed, PageLists } from "../PageLists.ts"
import type { PageActor } from "../PageActors.ts"

/** JSON from the database, used as it is. The tests of the code that produces it check its shape. */
const parse = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Unknown))

const latest = { by: "updatedAt", descending: true } as const
const best = { by: "match", descending: true } as const
const nobody = Option.none()
const regular = { playlistType: PlaylistType.regular } as const

/** Channels and playlists for pages, from the same services as the API's. */
export const PageListsLayer = Layer.effect(
  PageLists,
  Effect.gen(function* () {
    const channels = yield* ListedChannels
    const playlists = yield* ListedPlaylists
    const searches = yield* Searches
    const { derived } = yield* KinoraConfig
    const ownHost = new URL(derived.origin).host

    const handleOf = ({ actor }: PageActor): ActorHandle => ({
      name: actor.name,
      host: actor.host === ownHost ? null : actor.host
    })
    /** What was removed since the page was looked up has nothing. */
    const empty = Effect.succeed(`{"total":0,"data":[]}`)

    return PageLists.of({
      channelsOf: Effect.fn("PageLists.channelsOf")(function* (account, part) {
        const found = channels.ofAccount(handleOf(account), nobody, {}, { ...part, sort: latest })
        return parse(yield* Effect.catchTag(found, "AccountNotFound", () => empty)) as Listed<VideoChannel>
      }),
      playlistsOf: Effect.fn("PageLists.playlistsOf")(function* (owner, part) {
        const page = { ...part, sort: latest }
        const handle = handleOf(owner)
        const found =
          owner.kind === "account"
            ? Effect.catchTag(playlists.ofAccount(handle, nobody, regular, page), "AccountNotFound", () => empty)
            : Effect.catchTag(playlists.ofChannel(handle, nobody, regular, page), "VideoChannelNotFound", () => empty)
        return parse(yield* found) as Listed<VideoPlaylist>
      }),
      channels: Effect.fn("PageLists.channels")(function* (text, part) {
        return parse(yield* searches.channels({ ...part, text, sort: best }, nobody)) as Listed<VideoChannel>
      }),
      playlists: Effect.fn("PageLists.playlists")(function* (text, part) {
        return parse(yield* searches.playlists({ ...part, text, sort: best }, nobody)) as Listed<VideoPlaylist>
      })
    })
  })
)
