import { labelled } from "@kinora/domain/enums/Labelled"
import { type VideoState, videoStateLabels } from "@kinora/domain/enums/VideoState"
import { toShortUuid } from "@kinora/domain/ids/ShortUuid"
import type { Notification, NotificationSubjects } from "@kinora/domain/wire/Notification"
import { actorSummary } from "../../../people/actor/ActorJson.ts"
import type { Actors } from "./Actors.ts"

/** The one video a notification is about, whatever else it is about. */
export interface VideoColumns {
  readonly videoId: number | null
  readonly videoUuid: string
  readonly videoName: string
  readonly videoState: VideoState
  /** Actor of its channel, where the notification is about nothing but the video. */
  readonly videoChannelActorId: number | null
  readonly blacklistId: number | null
  readonly importId: number | null
  readonly torrentName: string | null
  readonly magnetUri: string | null
  readonly targetUrl: string | null
}

export const videoColumns = `v.id as "videoId", v.uuid::text as "videoUuid", v.name as "videoName", v.state as "videoState",
  vc.actor_id as "videoChannelActorId", b.id as "blacklistId", i.id as "importId", i.torrent_name as "torrentName",
  i.magnet_uri as "magnetUri", i.target_url as "targetUrl"`

export const videoJoins = `
  left join video_blacklist b on b.id = n.blacklist_id
  left join video_import i on i.id = n.import_id
  left join video v on v.id = case
    when n.blacklist_id is not null then b.video_id
    when n.comment_id is not null then c.video_id
    when n.import_id is not null then i.video_id
    when n.ownership_change_id is not null then o.video_id
    when n.abuse_id is not null then coalesce(x.video_id, xc.video_id)
    else n.video_id end
  left join video_channel vc on vc.id = v.channel_id and n.blacklist_id is null and n.comment_id is null
    and n.import_id is null and n.ownership_change_id is null and n.abuse_id is null`

export const videoInfo = (row: VideoColumns): NotificationSubjects["videoBlacklist"]["video"] | undefined =>
  row.videoId === null
    ? undefined
    : {
        id: row.videoId,
        uuid: row.videoUuid,
        shortUUID: toShortUuid(row.videoUuid),
        name: row.videoName,
        state: labelled(row.videoState, videoStateLabels)
      }

/** A video with its channel, a block of one, or an import that may have become one. */
export const videoSubject = (
  row: VideoColumns,
  actors: Actors
): Pick<Notification, "video" | "videoBlacklist" | "videoImport"> => {
  const video = videoInfo(row)
  if (row.importId !== null) {
    const { magnetUri, targetUrl, torrentName } = row
    const videoImport = { id: row.importId, torrentName, magnetUri, targetUrl }
    return { videoImport: video === undefined ? videoImport : { ...videoImport, video } }
  }
  if (video === undefined) return {}
  if (row.blacklistId !== null) return { videoBlacklist: { id: row.blacklistId, video } }
  const channel = actors.get(row.videoChannelActorId)
  return channel === undefined ? {} : { video: { ...video, channel: actorSummary(channel) } }
}
