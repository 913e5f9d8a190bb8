import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { VideoChannel } from "@kinora/domain/wire/VideoChannel"
import type { VideoPlaylist } from "@kinora/domain/wire/VideoPlaylist"
import { Context, type Effect } from "effect"
import type { PageActor } from "./PageActors.ts"

export interface Listed<A> {
  readonly total: number
  readonly data: ReadonlyArray<A>
}

export interface ListPart {
  readonly start: number
  readonly count: number
}

/** Lists of channels and playlists for pages, as anonymous visitors may see them. */
export class PageLists extends Context.Service<
  PageLists,
  {
    /** Channels of an account, those with the latest uploads first. */
    channelsOf(account: PageActor, part: ListPart): Effect.Effect<Listed<VideoChannel>, DatabaseUnavailable>
    /** Public playlists of an account or a channel, those that changed last first. */
    playlistsOf(owner: PageActor, part: ListPart): Effect.Effect<Listed<VideoPlaylist>, DatabaseUnavailable>
    /** Channels that a text finds, best matches first. */
    channels(search: string, part: ListPart): Effect.Effect<Listed<VideoChannel>, DatabaseUnavailable>
    /** Playlists that a text finds, best matches first. */
    playlists(search: string, part: ListPart): Effect.Effect<Listed<VideoPlaylist>, DatabaseUnavailable>
  }
>()("@kinora/node/pages/PageLists") {}
