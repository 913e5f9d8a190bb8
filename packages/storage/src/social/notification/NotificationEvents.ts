import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

/**
 * Something that happened and that its writer records. What tables of videos, blocks, imports, collaborators and changes of
 * owner know of themselves is recorded by triggers (sql/social/triggers/notification-events.sql). Whether it is news, and
 * for whom, is decided in `node/src/social/notification/event`.
 */
export type RecordedEvent =
  /** A comment can be read by now, or waits for a review: recorded at each of these moments. Nobody is notified twice. */
  | { readonly _tag: "NewComment"; readonly commentId: number }
  /** A follow was accepted. */
  | { readonly _tag: "NewFollow"; readonly followId: number }
  /** Somebody follows the instance as a whole, or asks to. */
  | { readonly _tag: "NewInstanceFollower"; readonly followId: number }
  /** The instance follows back whoever followed it. */
  | { readonly _tag: "AutoInstanceFollowing"; readonly followId: number }
  /** Somebody asks for an account, and waits for a moderator. */
  | { readonly _tag: "Registration"; readonly registrationId: number }
  /** Somebody made themselves an account. */
  | { readonly _tag: "UserRegistered"; readonly userId: number }
  /** Something was reported to the moderators. */
  | { readonly _tag: "NewAbuse"; readonly abuseId: number }
  /** Moderators changed the state of a report. */
  | { readonly _tag: "AbuseStateChanged"; readonly abuseId: number; readonly state: number }
  /** The reporter or a moderator wrote something about a report. */
  | { readonly _tag: "NewAbuseMessage"; readonly messageId: number }
  /** The time has come for which its owner had scheduled a video. */
  | { readonly _tag: "MyVideoPublished"; readonly videoId: number }

const subjectOf = (event: RecordedEvent): number => {
  switch (event._tag) {
    case "NewComment":
      return event.commentId
    case "NewFollow":
    case "NewInstanceFollower":
    case "AutoInstanceFollowing":
      return event.followId
    case "Registration":
      return event.registrationId
    case "UserRegistered":
      return event.userId
    case "NewAbuse":
    case "AbuseStateChanged":
      return event.abuseId
    case "NewAbuseMessage":
      return event.messageId
    case "MyVideoPublished":
      return event.videoId
  }
}

/** Facts that cannot be read afterwards; null: there are none. */
const detailsOf = (event: RecordedEvent): string | null =>
  event._tag === "AbuseStateChanged" ? JSON.stringify({ state: event.state }) : null

/** Writes one row in the caller's transaction, for repositories. A worker finds the recipients later. */
export const recordEvent = (sql: SqlClient, event: RecordedEvent) =>
  Effect.asVoid(sql`
    insert into notification_event (tag, subject, details)
    values (${event._tag}, ${subjectOf(event)}::integer, ${detailsOf(event)}::text::jsonb)`)

/** Records what may be worth a notification. */
export class NotificationEvents extends Context.Service<
  NotificationEvents,
  {
    /** To be called inside the transaction of what happened: both are written, or none is. */
    readonly record: (event: RecordedEvent) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/notifications/NotificationEvents") {
  static readonly layer = Layer.effect(
    NotificationEvents,
    Effect.map(SqlClient, (sql) =>
      NotificationEvents.of({
        record: (event) => recordEvent(sql, event).pipe(withDatabaseErrors)
      })
    )
  )
}
