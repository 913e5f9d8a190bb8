import { NotificationType, type NotificationType as Type } from "@kinora/domain/enums/NotificationType"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import type { NotificationTag } from "./NotificationEvents.ts"

/** Columns of `user_notification` that say what it is about. */
export type Subject = Partial<
  Record<
    | "video_id"
    | "comment_id"
    | "import_id"
    | "blacklist_id"
    | "follow_id"
    | "registration_id"
    | "collaborator_id"
    | "ownership_change_id"
    | "abuse_id",
    number | null
  >
>

/** Whom an event is told, as what. */
export interface Telling {
  readonly type: Type
  /** The account whose doing it is. */
  readonly by: number | null
  readonly subject: Subject
  /** Selects the users, as `id`. */
  readonly users: Fragment
}

interface Found {
  readonly by: number | null
  /** User who is to know; null for accounts of other instances. */
  readonly userId: number | null
  readonly videoId: number | null
}

type Tellings = Effect.Effect<ReadonlyArray<Telling>, SqlError>

/** Administrators and moderators. */
const managers = (sql: SqlClient) => sql`select id from app_user where role in (0, 1)`

const one = (sql: SqlClient, userId: number) => sql`select ${userId}::integer as id`

/** Told to one user, who is not told of what they did themselves. */
const toOne = (
  sql: SqlClient,
  rows: ReadonlyArray<Found & { readonly own?: boolean }>,
  type: Type,
  subject: (found: Found) => Subject
): ReadonlyArray<Telling> =>
  rows.flatMap((found) =>
    found.userId === null || found.own === true
      ? []
      : [{ type, by: found.by, subject: subject(found), users: one(sql, found.userId) }]
  )

const owned = (sql: SqlClient, videoId: number) => sql<Found>`
  select null::integer as by, a.user_id as "userId", v.id as "videoId"
  from video v join account a on a.id = v.account_id where v.id = ${videoId} and not v.remote`

const blocked = (sql: SqlClient, videoId: number): Tellings =>
  Effect.map(
    sql<Found & { id: number; automatic: boolean }>`
      select null::integer as by, a.user_id as "userId", v.id as "videoId", b.id, b.type = 2 as automatic
      from video_blacklist b join video v on v.id = b.video_id join account a on a.id = v.account_id
      where v.id = ${videoId} and not v.remote`,
    (rows) =>
      rows.flatMap((row) => {
        const subject = { blacklist_id: row.id, video_id: row.videoId }
        return row.automatic
          ? [{ type: NotificationType.videoAutoBlacklistForModerators, by: null, subject, users: managers(sql) }]
          : toOne(sql, [row], NotificationType.blacklistOnMyVideo, () => subject)
      })
  )

const imported = (sql: SqlClient, importId: number): Tellings =>
  Effect.map(
    sql<Found & { done: boolean }>`
      select null::integer as by, user_id as "userId", video_id as "videoId", state = 2 as done
      from video_import where id = ${importId} and state in (2, 3)`,
    (rows) =>
      rows.flatMap((row) =>
        toOne(
          sql,
          [row],
          row.done ? NotificationType.myVideoImportSuccess : NotificationType.myVideoImportError,
          ({ videoId }) => ({ import_id: importId, video_id: videoId })
        )
      )
  )

const followed = (sql: SqlClient, followId: number): Tellings =>
  Effect.map(
    sql<Found & { own: boolean }>`
      select by.id as by, o.user_id as "userId", null::integer as "videoId", by.id = o.id as own
      from actor_follow f join account by on by.actor_id = f.actor_id
        left join video_channel c on c.actor_id = f.target_actor_id
        join account o on o.id = c.account_id or o.actor_id = f.target_actor_id
      where f.id = ${followId} and f.state = 'accepted'`,
    (rows) => toOne(sql, rows, NotificationType.newFollow, () => ({ follow_id: followId }))
  )

/** Administrators, who alone can act on it. */
const ofInstance = (sql: SqlClient, followId: number, type: Type): Tellings =>
  Effect.map(
    sql<{ by: number | null }>`
      select by.id as by from actor_follow f left join account by on by.actor_id = f.actor_id and ${type}::integer = 13
      where f.id = ${followId} and f.state <> 'rejected'`,
    (rows) =>
      rows.map(({ by }) => ({
        type,
        by,
        subject: { follow_id: followId },
        users: sql`select id from app_user where role = 0`
      }))
  )

const registered = (sql: SqlClient, userId: number): Tellings =>
  Effect.map(sql<{ id: number }>`select id from account where user_id = ${userId}`, (rows) =>
    rows.map(({ id }) => ({
      type: NotificationType.newUserRegistration,
      by: id,
      subject: {},
      users: managers(sql)
    }))
  )

const asksForAccount = (sql: SqlClient, registrationId: number): Tellings =>
  Effect.map(sql`select 1 from user_registration where id = ${registrationId} and state = 1`, (rows) =>
    rows.map(() => ({
      type: NotificationType.newUserRegistrationRequest,
      by: null,
      subject: { registration_id: registrationId },
      users: managers(sql)
    }))
  )

const reported = (sql: SqlClient, abuseId: number): Tellings =>
  Effect.map(
    sql<{ by: number | null }>`select reporter_account_id as by from abuse where id = ${abuseId} and state = 1`,
    (rows) =>
      rows.map(({ by }) => ({
        ...{ type: NotificationType.newAbuseForModerators, by },
        subject: { abuse_id: abuseId },
        users: managers(sql)
      }))
  )

/** Who was asked to work on a channel, or its owner, who is told the answer. */
const collaboration = (sql: SqlClient, collaboratorId: number, type: Type, state: 1 | 2 | 3): Tellings =>
  Effect.map(
    sql<Found>`
      select case when k.state = 1 then o.id else a.id end as by,
        case when k.state = 1 then a.user_id else o.user_id end as "userId", null::integer as "videoId"
      from video_channel_collaborator k join account a on a.id = k.account_id
        join video_channel c on c.id = k.channel_id join account o on o.id = c.account_id
      where k.id = ${collaboratorId} and k.state = ${state}::smallint`,
    (rows) => toOne(sql, rows, type, () => ({ collaborator_id: collaboratorId }))
  )

/** Who is asked to take over, or who asked, who is told the answer. Types of videos come three before those of channels. */
const ownership = (sql: SqlClient, changeId: number, ofVideo: 26 | 27 | 28, state: 1 | 2 | 3): Tellings =>
  Effect.map(
    sql<Found>`
      select case when o.state = 1 then i.id else n.id end as by,
        case when o.state = 1 then n.user_id else i.user_id end as "userId", o.video_id as "videoId"
      from ownership_change o join account i on i.id = o.initiator_account_id
        join account n on n.id = o.next_owner_account_id
      where o.id = ${changeId} and o.state = ${state}::smallint`,
    (rows) =>
      rows.flatMap((row) =>
        toOne(sql, [row], row.videoId === null ? ((ofVideo + 3) as 29 | 30 | 31) : ofVideo, ({ videoId }) => ({
          ownership_change_id: changeId,
          video_id: videoId
        }))
      )
  )

/**
 * Whom a small event concerns: nobody when what it is about is gone, or is not as it was. Videos for those who follow, and
 * comments, are told by others.
 */
export const tellingsOf = (
  sql: SqlClient,
  tag: Exclude<NotificationTag, "VideoPublished" | "NewComment">,
  subject: number
): Tellings => {
  switch (tag) {
    case "MyVideoPublished":
      return Effect.map(owned(sql, subject), (rows) =>
        toOne(sql, rows, NotificationType.myVideoPublished, () => ({ video_id: subject }))
      )
    case "VideoBlocked":
      return blocked(sql, subject)
    case "VideoUnblocked":
      return Effect.map(owned(sql, subject), (rows) =>
        toOne(sql, rows, NotificationType.unblacklistOnMyVideo, () => ({ video_id: subject }))
      )
    case "ImportFinished":
      return imported(sql, subject)
    case "NewFollow":
      return followed(sql, subject)
    case "NewInstanceFollower":
      return ofInstance(sql, subject, NotificationType.newInstanceFollower)
    case "AutoInstanceFollowing":
      return ofInstance(sql, subject, NotificationType.autoInstanceFollowing)
    case "Registration":
      return asksForAccount(sql, subject)
    case "UserRegistered":
      return registered(sql, subject)
    case "NewAbuse":
      return reported(sql, subject)
    case "CollaborationAsked":
      return collaboration(sql, subject, NotificationType.invitedToCollaborate, 1)
    case "CollaborationAccepted":
      return collaboration(sql, subject, NotificationType.acceptedToCollaborate, 2)
    case "CollaborationDeclined":
      return collaboration(sql, subject, NotificationType.refusedToCollaborate, 3)
    case "OwnershipAsked":
      return ownership(sql, subject, NotificationType.videoOwnershipRequest, 1)
    case "OwnershipDeclined":
      return ownership(sql, subject, NotificationType.videoOwnershipRejected, 2)
    case "OwnershipAccepted":
      return ownership(sql, subject, NotificationType.videoOwnershipAccepted, 3)
  }
}
