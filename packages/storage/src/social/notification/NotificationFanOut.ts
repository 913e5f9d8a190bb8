import type { NotificationSettingKey } from "@kinora/domain/enums/NotificationSetting"
import { NotificationWay } from "@kinora/domain/enums/NotificationSetting"
import { NotificationType, settingOfType } from "@kinora/domain/enums/NotificationType"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { limit } from "../../platform/database/JsonPage.ts"
import { isUnavailable, withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { commentTellings, type MaySee } from "./CommentTellings.ts"
import type { NotificationTag } from "./NotificationEvents.ts"
import { type Telling, tellingsOf } from "./Tellings.ts"

/** What the instance says of telling. */
export interface TellingRules {
  /** Ways of those who have not chosen, by setting. */
  readonly ways: Readonly<Record<NotificationSettingKey, number>>
  /** Whether the instance sends mail: without, nobody is told that way. */
  readonly mails: boolean
  readonly maySee: MaySee
}

/** Followers that one transaction sees to: others have the database in between. */
const followersAtATime = 1000

/** After so many failures an event is given up. */
const mostFailures = 8

const channel = "notification"

/** Told to many: whose doing it is is read off the video, and costs no column of each row. */
const ofCrowds: ReadonlySet<number> = new Set([
  NotificationType.newVideoFromSubscription,
  NotificationType.newLiveFromSubscription
])

interface EventRow {
  /** A bigint, which is too large for numbers. */
  readonly id: string
  readonly tag: NotificationTag
  readonly subject: number
  readonly position: number
}

interface Made {
  readonly first: number | null
  readonly last: number | null
  readonly mailed: boolean | null
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient

  /** Writes the rows of one telling; whoever blocks the one whose doing it is, or is blocked themselves, gets none. */
  const write = Effect.fnUntraced(function* (
    event: EventRow,
    { by, subject, type, users }: Telling,
    rules: TellingRules
  ) {
    const key = settingOfType[type]
    const { mail, web } = NotificationWay
    const every = rules.mails ? mail | web : web
    const ways =
      key === null
        ? sql`${every}::integer`
        : sql`(coalesce((u.notification_settings ->> ${key})::integer, ${rules.ways[key]}::integer) & ${every}::integer)`
    const rows = yield* sql<Made>`
      with muting as materialized (
        select b.account_id from account_block b where b.target_account_id = ${by}::integer
        union
        select b.account_id from account c join actor a on a.id = c.actor_id join server_block b on b.server_id = a.server_id
        where c.id = ${by}::integer
      ), told as (
        select t.id as user_id, w.ways, w.ways & ${mail}::integer <> 0 and u.email_verified is not false as mailed
        from (${users}) t join app_user u on u.id = t.id join account m on m.user_id = u.id,
          lateral (select ${ways} as ways offset 0) w
        where not u.blocked and w.ways <> 0 and not exists (
          select 1 from muting b where b.account_id = m.id or b.account_id in (
            select c.id from account c join actor a on a.id = c.actor_id where a.server_id is null and a.type = 'Application'
          )
        )
      ), made as (
        insert into user_notification (user_id, type, web, mail_at, event_id, account_id, video_id, comment_id, import_id,
          blacklist_id, follow_id, registration_id, collaborator_id, ownership_change_id, abuse_id)
        select user_id, ${type}::smallint, ways & ${web}::integer <> 0, case when mailed then now() end, ${event.id}::bigint,
          ${ofCrowds.has(type) ? null : by}::integer, ${subject.video_id ?? null}::integer, ${subject.comment_id ?? null}::integer,
          ${subject.import_id ?? null}::integer, ${subject.blacklist_id ?? null}::integer,
          ${subject.follow_id ?? null}::integer, ${subject.registration_id ?? null}::integer,
          ${subject.collaborator_id ?? null}::integer, ${subject.ownership_change_id ?? null}::integer,
          ${subject.abuse_id ?? null}::integer
        from told where ways & ${web}::integer <> 0 or mailed
        on conflict (comment_id, user_id) where comment_id is not null do nothing
        returning id, mail_at
      )
      select min(id) as first, max(id) as last, bool_or(mail_at is not null) as mailed from made`
    const { first, last, mailed } = rows[0]!
    if (first === null) return
    // Sent when this is committed: nodes push what is there by then.
    yield* sql`select pg_notify(${channel}, ${`made ${event.id} ${first} ${last}`})`
    if (mailed === true) yield* sql`select pg_notify(${channel}, 'mail')`
  })

  /** The next followers of the channel of a video. False: there is nobody left, or the video is not to be seen any more. */
  const crowd = Effect.fnUntraced(function* (event: EventRow, rules: TellingRules) {
    const [video] = yield* sql<{ by: number; ownerId: number | null; actorId: number; live: boolean }>`
      select v.account_id as by, o.user_id as "ownerId", c.actor_id as "actorId", v.is_live as live
      from video v join account o on o.id = v.account_id join video_channel c on c.id = v.channel_id
      where v.id = ${event.subject} and v.visible > 0`
    if (video === undefined) {
      // Hidden before anybody was told, as what waits for a moderator: it is news when it is shown again.
      if (event.position === 0) {
        yield* sql`update video set announced = false where id = ${event.subject} and visible = 0`
      }
      return false
    }
    const [page] = yield* sql<{ last: number | null; count: number }>`
      select max(id) as last, count(*)::integer as count from (
        select f.id from actor_follow f
        where f.target_actor_id = ${video.actorId} and f.state = 'accepted' and f.id > ${event.position}
        order by f.id ${limit(sql, { start: 0, count: followersAtATime })}
      ) p`
    if (page!.last === null) return false
    const users = sql`
      select a.user_id as id from actor_follow f join account a on a.actor_id = f.actor_id
      where f.target_actor_id = ${video.actorId} and f.state = 'accepted' and f.id > ${event.position}
        and f.id <= ${page!.last} and a.user_id is distinct from ${video.ownerId}::integer`
    const type = video.live ? NotificationType.newLiveFromSubscription : NotificationType.newVideoFromSubscription
    yield* write(event, { type, by: video.by, subject: { video_id: event.subject }, users }, rules)
    if (page!.count < followersAtATime) return false
    yield* sql`
      update notification_event set position = ${page!.last}, turns = turns + 1 where id = ${event.id}::bigint`
    return true
  })

  const tell = Effect.fnUntraced(function* (event: EventRow, rules: TellingRules) {
    if (event.tag === "VideoPublished") {
      if (yield* crowd(event, rules)) return
    } else {
      const tellings =
        event.tag === "NewComment"
          ? yield* commentTellings(sql, event.subject, rules.maySee)
          : yield* tellingsOf(sql, event.tag, event.subject)
      for (const telling of tellings) yield* write(event, telling, rules)
    }
    yield* sql`delete from notification_event where id = ${event.id}::bigint`
  })

  const setBack = Effect.fnUntraced(function* (event: EventRow, cause: unknown) {
    yield* Effect.logError(`Nobody can be told of ${event.tag} ${event.subject} at the moment`, cause)
    yield* sql`
      update notification_event set failures = failures + 1, turns = turns + 1,
        not_before = now() + make_interval(secs => least(3600, 2 ^ failures)) where id = ${event.id}::bigint`
    yield* sql`delete from notification_event where id = ${event.id}::bigint and failures >= ${mostFailures}`
  })

  const step = Effect.fn("NotificationFanOut.step")(
    function* (rules: TellingRules) {
      const [event] = yield* sql<EventRow>`
        select id::text as id, tag, subject, position from notification_event where not_before <= now()
        order by turns, id limit 1 for update skip locked`
      if (event === undefined) return false
      // A transaction of its own inside this one: what fails takes back what it wrote and no more.
      yield* sql.withTransaction(tell(event, rules)).pipe(
        Effect.catch((error) => (isUnavailable(error) ? Effect.fail(error) : setBack(event, error))),
        Effect.catchDefect((cause) => setBack(event, cause))
      )
      return true
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const forgetOld = Effect.fn("NotificationFanOut.forgetOld")(function* (days: number, atMost: number) {
    const rows = yield* sql`
      delete from user_notification where id in (
        select id from user_notification
        where updated_at < now() - make_interval(days => ${days}::integer) and mail_at is null and (read or not web)
        order by updated_at limit ${atMost} for update skip locked
      ) returning 1`
    // The oldest of all: ids grow with the time.
    const neglected = yield* sql`
      delete from user_notification where id in (
        select n.id from user_notification n
        where n.id in (select id from user_notification order by id ${limit(sql, { start: 0, count: atMost - rows.length })})
          and n.created_at < now() - make_interval(days => ${2 * days}::integer)
        order by n.id for update skip locked
      ) returning 1`
    return rows.length + neglected.length
  }, withDatabaseErrors)

  return NotificationFanOut.of({ step, forgetOld })
})

/**
 * Makes notifications of events, in steps that are one transaction each: the row of an event is locked while somebody sees
 * to it, and what was written and how far that was are committed together. So any number of nodes may do it, and one that
 * dies in the middle neither loses anything nor tells anything twice.
 */
export class NotificationFanOut extends Context.Service<
  NotificationFanOut,
  {
    /** Sees to one event, or to the next thousand followers it is for. False: there is nothing to do. */
    readonly step: (rules: TellingRules) => Effect.Effect<boolean, DatabaseUnavailable>
    /**
     * Forgets what was read, or only mailed, so many days ago, and what is twice as old whether it was read or not; answers
     * how many, at most as many as asked for.
     */
    readonly forgetOld: (days: number, atMost: number) => Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/storage/notifications/NotificationFanOut") {
  static readonly layer = Layer.effect(NotificationFanOut, make)
}
