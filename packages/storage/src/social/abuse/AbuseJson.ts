import { namesOfReasons } from "@kinora/domain/enums/AbuseReason"
import { type AbuseState, abuseState } from "@kinora/domain/enums/AbuseState"
import { toShortUuid } from "@kinora/domain/ids/ShortUuid"
import type { AdminAbuse, CommentAbuse, UserAbuse, VideoAbuse } from "@kinora/domain/wire/Abuse"
import type { ActorRow } from "../../people/actor/ActorJson.ts"
import { accountOf, channelOf } from "../../people/actor/ActorTexts.ts"
import { thumbnail, type ThumbnailRow, widestPath } from "../../video/read/VideoJson.ts"

/** What was reported, as it was then. */
interface VideoTarget {
  readonly id: number
  readonly uuid: string
  readonly name: string
  readonly nsfw: boolean
}
interface CommentTarget {
  readonly id: number
  readonly threadId: number
  readonly text: string
  readonly videoId: number
  /** Of the video, as is the name. */
  readonly uuid: string
  readonly name: string
}

/** A report as `abuseColumns` reads it. Times are ISO 8601. Columns of what is gone are null. */
export type AbuseRow = {
  readonly id: number
  readonly state: AbuseState
  readonly reason: string
  readonly reasons: ReadonlyArray<number>
  readonly moderationComment: string | null
  readonly startAt: number | null
  readonly endAt: number | null
  /** Whether the reporter may be shown what they reported. */
  readonly isShown: boolean
  readonly createdAt: string
  readonly updatedAt: string
  readonly origin: string
  readonly reporterActorId: number | null
  readonly flaggedActorId: number | null
  /** The video that was reported, as it is now. */
  readonly videoId: number | null
  readonly videoName: string | null
  readonly nsfw: boolean | null
  readonly blacklisted: boolean
  /** Whether the reporter may see the video at the moment. */
  readonly isOpen: boolean
  readonly thumbnails: ReadonlyArray<ThumbnailRow>
  readonly channelActorId: number | null
  /** The comment that was reported, unless it is deleted, and the name of its video. */
  readonly commentText: string | null
  readonly commentVideoName: string | null
  readonly messages: number
  readonly countReports: number
  readonly nthReport: number
  readonly countReportsForReporter: number
  readonly countReportsForReportee: number
} & (
  | { readonly kind: "video"; readonly target: VideoTarget }
  | { readonly kind: "comment"; readonly target: CommentTarget }
  | { readonly kind: "account" }
)

type Actors = ReadonlyMap<number, ActorRow>

const optional = <const Name extends string, A>(name: Name, value: A | null | undefined): { [N in Name]?: A } =>
  (value === null || value === undefined ? {} : { [name]: value }) as { [N in Name]?: A }

const accountNamed = (actors: Actors, actorId: number | null) =>
  actorId === null ? undefined : accountOf(actors, actorId)

/** `isCurrent`: the reader may see the video as it is now, not only as it was when it was reported. */
const videoAbuse = (row: AbuseRow & { readonly kind: "video" }, actors: Actors, isCurrent: boolean): VideoAbuse => {
  const { id, name, nsfw, uuid } = row.target
  const thumbnails = isCurrent ? row.thumbnails : []
  const path = widestPath(thumbnails, 1)
  const channel = isCurrent && row.channelActorId !== null ? channelOf(actors, row.channelActorId) : undefined
  return {
    id,
    uuid,
    shortUUID: toShortUuid(uuid),
    name: (isCurrent ? row.videoName : null) ?? name,
    nsfw: (isCurrent ? row.nsfw : null) ?? nsfw,
    deleted: row.videoId === null,
    blacklisted: row.blacklisted,
    startAt: row.startAt,
    endAt: row.endAt,
    ...optional("thumbnailPath", path === "" ? null : path),
    thumbnails: thumbnails.map((one) => thumbnail(row.origin, one)),
    ...optional("channel", channel),
    countReports: row.countReports,
    nthReport: row.nthReport
  }
}

const commentAbuse = (row: AbuseRow & { readonly kind: "comment" }, isCurrent: boolean): CommentAbuse => {
  const { id, name, text, threadId, uuid, videoId } = row.target
  return {
    id,
    threadId,
    video: { id: videoId, name: (isCurrent ? row.commentVideoName : null) ?? name, uuid },
    text: (isCurrent ? row.commentText : null) ?? text,
    deleted: row.commentText === null
  }
}

const thingOf = (row: AbuseRow, actors: Actors, isCurrent: boolean) => {
  switch (row.kind) {
    case "video":
      return { video: videoAbuse(row, actors, isCurrent) }
    case "comment":
      return { comment: commentAbuse(row, isCurrent) }
    case "account":
      return {}
  }
}

const common = (row: AbuseRow) => ({
  id: row.id,
  reason: row.reason,
  predefinedReasons: namesOfReasons(row.reasons),
  state: abuseState(row.state),
  countMessages: row.messages,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt
})

/** A report as moderators see it. */
export const adminAbuse = (row: AbuseRow, actors: Actors): AdminAbuse => {
  const reporter = accountNamed(actors, row.reporterActorId)
  const flagged = accountNamed(actors, row.flaggedActorId)
  return {
    ...common(row),
    ...optional("reporterAccount", reporter),
    ...optional("flaggedAccount", flagged),
    ...optional("moderationComment", row.moderationComment),
    ...thingOf(row, actors, true),
    ...optional("countReportsForReporter", reporter && row.countReportsForReporter),
    ...optional("countReportsForReportee", flagged && row.countReportsForReportee)
  }
}

/** A report as its reporter sees it: the thing as they have seen it, where they may see no more of it. */
export const userAbuse = (row: AbuseRow, actors: Actors): UserAbuse => ({
  ...common(row),
  ...(row.isShown
    ? { ...optional("flaggedAccount", accountNamed(actors, row.flaggedActorId)), ...thingOf(row, actors, row.isOpen) }
    : {})
})
