import { labelled } from "@kinora/domain/enums/Labelled"
import { type PlaylistPrivacy, playlistPrivacyLabels } from "@kinora/domain/enums/PlaylistPrivacy"
import { type PlaylistType, playlistTypeLabels } from "@kinora/domain/enums/PlaylistType"
import { toShortUuid } from "@kinora/domain/ids/ShortUuid"
import type { VideoPlaylist } from "@kinora/domain/wire/VideoPlaylist"
import { type ActorRow, actorSummary } from "../../people/actor/ActorJson.ts"
import { thumbnail, type ThumbnailRow } from "../read/VideoJson.ts"

/** A playlist as `playlistTexts` reads it. Times are ISO 8601. */
export interface PlaylistRow {
  readonly id: number
  readonly origin: string
  readonly uuid: string
  readonly url: string
  readonly name: string
  readonly description: string | null
  readonly remote: boolean
  readonly privacy: PlaylistPrivacy
  readonly type: PlaylistType
  readonly videosLength: number
  readonly createdAt: string
  readonly updatedAt: string
  /** Pictures that somebody chose, by width. */
  readonly pictures: ReadonlyArray<Omit<ThumbnailRow, "type">>
  /** Those of the video whose picture a playlist without its own shows, by width. */
  readonly cover: ReadonlyArray<ThumbnailRow>
  readonly ownerActorId: number
  readonly channelActorId: number | null
  readonly channelPosition: number | null
}

/** Type of the small pictures of videos. */
const miniature = 1

/** Its pictures, and the path of the one that lists show: the smallest that was chosen, or the widest of its cover. */
const picturesOf = ({ cover, pictures }: PlaylistRow) => {
  const shown = pictures.length > 0 ? pictures.map((one) => ({ ...one, type: miniature })) : cover
  const listed =
    pictures.length > 0
      ? shown[0]
      : cover
          .filter(({ type }) => type === miniature)
          .reduce<ThumbnailRow | undefined>(
            (widest, one) => (widest === undefined || one.width > widest.width ? one : widest),
            undefined
          )
  return { shown, path: listed === undefined ? null : `/lazy-static/thumbnails/${listed.filename}` }
}

/** A playlist (contract: VideoPlaylist). */
export const playlistJson = (
  row: PlaylistRow,
  owner: ActorRow,
  channel: ActorRow | undefined
): typeof VideoPlaylist.Encoded => {
  const { path, shown } = picturesOf(row)
  return {
    id: row.id,
    uuid: row.uuid,
    shortUUID: toShortUuid(row.uuid),
    url: row.url,
    displayName: row.name,
    description: row.description,
    isLocal: !row.remote,
    privacy: labelled(row.privacy, playlistPrivacyLabels),
    type: labelled(row.type, playlistTypeLabels),
    videoLength: row.videosLength,
    videosLength: row.videosLength,
    thumbnailPath: path,
    thumbnails: shown.map((one) => thumbnail(row.origin, one)),
    embedPath: `/video-playlists/embed/${row.uuid}`,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    ownerAccount: actorSummary(owner),
    videoChannel: channel === undefined ? null : actorSummary(channel),
    videoChannelPosition: row.channelPosition
  }
}
