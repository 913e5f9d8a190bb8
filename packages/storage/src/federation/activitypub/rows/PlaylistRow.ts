import { Schema } from "effect"
import { Picture } from "./Picture.ts"

/** A playlist, with everything that its ActivityPub object is made of. */
export const PlaylistRow = Schema.Struct({
  url: Schema.String,
  uuid: Schema.String,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  isPublic: Schema.Boolean,
  videosLength: Schema.Int,
  createdAt: Schema.Date,
  updatedAt: Schema.Date,
  ownerUrl: Schema.String,
  /** Null: it is in no channel. */
  channelUrl: Schema.NullOr(Schema.String),
  /** Among the playlists of its channel, counted from 1. */
  channelPosition: Schema.NullOr(Schema.Int),
  /** Chosen for it, or that of its first video that has one. */
  picture: Schema.NullOr(Picture)
})
export type PlaylistRow = typeof PlaylistRow.Type

/** Selects `PlaylistRow` of the playlists `p` that meet a condition. */
export const selectPlaylists = (condition: string, more = ""): string => `
  select p.url, p.uuid, p.name, p.description, p.privacy = 1 as "isPublic", p.videos_length as "videosLength",
    p.created_at as "createdAt", p.updated_at as "updatedAt", a.url as "ownerUrl", h.url as "channelUrl",
    p.channel_position as "channelPosition",
    (
      select row_to_json(i) from (
        select t.filename, t.width, t.height, t.remote_url as "remoteUrl" from (
          select filename, width, height, remote_url, id from video_playlist_thumbnail where playlist_id = p.id
          union all
          select filename, width, height, remote_url, id from thumbnail
          where video_id = playlist_cover(p.id) and type = 1
            and not exists (select from video_playlist_thumbnail where playlist_id = p.id)
        ) t order by t.width desc, t.id limit 1
      ) i
    ) as picture${more}
  from video_playlist p join account o on o.id = p.owner_account_id join actor a on a.id = o.actor_id
    left join video_channel c on c.id = p.channel_id left join actor h on h.id = c.actor_id
  where ${condition}`

/** An element of a playlist. Timestamps are in seconds. */
export const PlaylistElementRow = Schema.Struct({
  url: Schema.String,
  videoUrl: Schema.String,
  position: Schema.Int,
  startTimestamp: Schema.NullOr(Schema.Int),
  stopTimestamp: Schema.NullOr(Schema.Int)
})
export type PlaylistElementRow = typeof PlaylistElementRow.Type

/** Whether other instances may know the video `v` of an element. */
const isShown = "case when v.remote then v.privacy in (1, 2) else video_is_dereferenced(v.id) end"
const elementUrl = "coalesce(e.url, p.url || '/videos/' || e.id)"

/** Selects `PlaylistElementRow` of the elements `e` that meet a condition and whose videos others may know. */
export const selectPlaylistElements = (condition: string): string => `
  select ${elementUrl} as url, v.url as "videoUrl", e.position, e.start_timestamp as "startTimestamp",
    e.stop_timestamp as "stopTimestamp"
  from video_playlist_element e join video_playlist p on p.id = e.playlist_id join video v on v.id = e.video_id
  where ${condition} and ${isShown}`

/** Addresses of such elements of the playlist `p` at these positions, in their order. */
export const elementUrlsAt = (from: string, to: string): string => `array(
  select ${elementUrl} from video_playlist_element e join video v on v.id = e.video_id
  where e.playlist_id = p.id and e.position > ${from} and e.position <= ${to} and ${isShown} order by e.position
)`
