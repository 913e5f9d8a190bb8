import { type AccountNotFound, VideoChannelNotFound } from "@kinora/domain/errors/ActorErrors"
import type { PlaylistType } from "@kinora/domain/enums/PlaylistType"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ActorHandle } from "@kinora/domain/ids/ActorHandle"
import type { PlaylistPage } from "@kinora/domain/requests/PlaylistQueries"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { JsonPage } from "@kinora/domain/wire/Json"
import type { VideoPlaylist } from "@kinora/domain/wire/VideoPlaylist"
import { ChannelRows } from "@kinora/storage/people/channel/ChannelRows"
import { type PlaylistListing, PlaylistLists } from "@kinora/storage/social/playlist/PlaylistLists"
import { Context, Effect, Layer, Option } from "effect"
import { mayOnAccount } from "../../people/account/AccountRights.ts"
import { KnownAccounts } from "../../people/account/KnownAccounts.ts"
import { mayOnChannel } from "../../people/channel/ChannelRights.ts"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { mayLookUp } from "../../people/rights/LookUpRight.ts"
import { readerOf } from "../../video/list/Reader.ts"

/** What narrows or widens a list of playlists. */
export interface AskedPlaylists {
  readonly playlistType?: PlaylistType | undefined
  readonly includeCollaborations?: boolean | undefined
  readonly channelNameOneOf?: ReadonlyArray<string> | undefined
}

type Reader = Option.Option<CurrentUserShape>

/** Lists of playlists whose content depends on who reads: those who manage playlists also see what is not public. */
export class ListedPlaylists extends Context.Service<
  ListedPlaylists,
  {
    readonly ofAccount: (
      handle: ActorHandle,
      reader: Reader,
      asked: AskedPlaylists,
      page: PlaylistPage
    ) => Effect.Effect<JsonPage<VideoPlaylist>, AccountNotFound | DatabaseUnavailable>
    readonly ofChannel: (
      handle: ActorHandle,
      reader: Reader,
      asked: Pick<AskedPlaylists, "playlistType">,
      page: PlaylistPage
    ) => Effect.Effect<JsonPage<VideoPlaylist>, VideoChannelNotFound | DatabaseUnavailable>
  }
>()("@kinora/node/social/playlist/ListedPlaylists") {
  static readonly layer = Layer.effect(
    ListedPlaylists,
    Effect.gen(function* () {
      const accounts = yield* KnownAccounts
      const channels = yield* ChannelRows
      const lists = yield* PlaylistLists
      const config = yield* KinoraConfig

      /** The listing as this reader sees it. */
      const shownTo = (
        reader: Reader,
        listing: Pick<PlaylistListing, "scope" | "everything" | "type">
      ): PlaylistListing => ({
        ...listing,
        viewerAccountId: readerOf(reader)?.accountId,
        unfollowed: mayLookUp(config.search.remote_uri, reader)
      })

      return ListedPlaylists.of({
        ofAccount: Effect.fn("ListedPlaylists.ofAccount")(function* (handle, reader, asked, page) {
          const accountId = yield* accounts.find(handle)
          const scope = {
            _tag: "Account",
            accountId,
            collaborations:
              asked.includeCollaborations === true &&
              Option.isSome(reader) &&
              mayOnAccount(reader.value, "collaborations", accountId),
            channelNames: asked.channelNameOneOf
          } as const
          const everything = Option.isSome(reader) && reader.value.accountId === accountId
          return yield* lists.list(shownTo(reader, { scope, everything, type: asked.playlistType }), page)
        }),
        ofChannel: Effect.fn("ListedPlaylists.ofChannel")(function* (handle, reader, asked, page) {
          const channel = yield* channels.byHandle(handle)
          if (Option.isNone(channel)) return yield* new VideoChannelNotFound()
          const everything = Option.isSome(reader) && mayOnChannel(reader.value, "publish", channel.value)
          const scope = { _tag: "Channel", channelId: channel.value.id } as const
          return yield* lists.list(shownTo(reader, { scope, everything, type: asked.playlistType }), page)
        })
      })
    })
  )
}
