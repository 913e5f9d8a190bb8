import type { NotificationType } from "@kinora/domain/enums/NotificationType"
import type { Notification } from "@kinora/domain/wire/Notification"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { actorRows } from "../../people/actor/ActorTexts.ts"
import { type AbuseColumns, abuseColumns, abuseJoins, abuseSubject } from "./subject/AbuseSubject.ts"
import type { Actors } from "./subject/Actors.ts"
import { type CommentColumns, commentColumns, commentJoins, commentSubject } from "./subject/CommentSubject.ts"
import { type FollowColumns, followColumns, followJoins, followSubject } from "./subject/FollowSubject.ts"
import {
  type CollaboratorColumns,
  collaboratorColumns,
  collaboratorJoins,
  collaboratorSubject,
  type OwnershipColumns,
  ownershipColumns,
  ownershipJoins,
  ownershipSubject,
  type PeopleColumns,
  peopleColumns,
  peopleJoins,
  peopleSubject
} from "./subject/PeopleSubjects.ts"
import { type VideoColumns, videoColumns, videoJoins, videoSubject } from "./subject/VideoSubjects.ts"

/** What a notification says of itself. Times are ISO 8601. */
export interface NotificationFrame {
  readonly id: number
  readonly type: NotificationType
  readonly read: boolean
  readonly createdAt: string
  readonly updatedAt: string
}

/** A notification with the plain columns of what it is about; those of all other subjects are null. */
export interface NotificationRow
  extends
    NotificationFrame,
    VideoColumns,
    CommentColumns,
    AbuseColumns,
    FollowColumns,
    PeopleColumns,
    CollaboratorColumns,
    OwnershipColumns {}

/** Columns of `NotificationFrame`, of a notification `n`. */
export const frameColumns = `n.id, n.type, n.read, wire_time(n.created_at) as "createdAt",
  wire_time(n.updated_at) as "updatedAt"`

/** Columns of `NotificationRow`, of a notification `n` with `notificationJoins`. */
export const notificationColumns = [
  frameColumns,
  videoColumns,
  commentColumns,
  abuseColumns,
  followColumns,
  peopleColumns,
  collaboratorColumns,
  ownershipColumns
].join(", ")

/** Joins of what a notification `n` is about, each row by its key. The video comes last: others lead to it. */
export const notificationJoins = [
  commentJoins,
  abuseJoins,
  followJoins,
  peopleJoins,
  collaboratorJoins,
  ownershipJoins,
  videoJoins
].join("")

const actorIdsOf = (row: NotificationRow): ReadonlyArray<number | null> => [
  row.videoChannelActorId,
  row.commentActorId,
  row.abuseActorId,
  row.followerActorId,
  row.followedActorId,
  row.registeredActorId,
  row.collaboratorActorId,
  row.collaboratorChannelActorId,
  row.collaboratorOwnerActorId,
  row.initiatorActorId,
  row.nextOwnerActorId,
  row.ownershipChannelActorId
]

/** The actors that these notifications show, in one statement. */
export const notificationActors = Effect.fnUntraced(function* (sql: SqlClient, rows: ReadonlyArray<NotificationRow>) {
  const ids = new Set(rows.flatMap(actorIdsOf).filter((id) => id !== null))
  const found = ids.size === 0 ? undefined : yield* actorRows(sql, [...ids])
  const actors: Actors = { get: (id) => (id === null ? undefined : found?.get(id)) }
  return actors
})

/** What a notification is about: one member of the contract's, or none where that is gone. */
export const notificationSubject = (row: NotificationRow, actors: Actors) => ({
  ...videoSubject(row, actors),
  ...commentSubject(row, actors),
  ...abuseSubject(row, actors),
  ...followSubject(row, actors),
  ...peopleSubject(row, actors),
  ...collaboratorSubject(row, actors),
  ...ownershipSubject(row, actors)
})

/** A notification (contract: Notification). */
export const notificationJson = (
  { createdAt, id, read, type, updatedAt }: NotificationFrame,
  subject: ReturnType<typeof notificationSubject>
): Notification => ({ id, type, read, data: {}, ...subject, createdAt, updatedAt })
