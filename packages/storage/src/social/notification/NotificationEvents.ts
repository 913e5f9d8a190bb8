import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

/**
 * Something people are told of, by the row it is about. Tables of videos, blocks, imports, collaborators and changes of
 * owner record what happens to them by triggers (sql/social/triggers/notification-events.sql): only the first group is recorded by callers.
 */
export type NotificationEvent =
  /** A comment can be read by now, or waits for a review: recorded at each of these moments. Nobody is told twice. */
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
  /** Its time has come: a video whose owner had planned that it be seen from then on. */
  | { readonly _tag: "MyVideoPublished"; readonly videoId: number }

/** All tags there are in the table. */
export type NotificationTag =
  | NotificationEvent["_tag"]
  | "VideoPublished"
  | "VideoBlocked"
  | "VideoUnblocked"
  | "ImportFinished"
  | "CollaborationAsked"
  | "CollaborationAccepted"
  | "CollaborationDeclined"
  | "OwnershipAsked"
  | "OwnershipAccepted"
  | "OwnershipDeclined"

const subjectOf = (event: NotificationEvent): number => {
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
      return event.abuseId
    case "MyVideoPublished":
      return event.videoId
  }
}

/** Writes one row in the caller's transaction, for repositories. Whoever is to know is found later, by a worker. */
export const recordEvent = (sql: SqlClient, event: NotificationEvent) =>
  Effect.asVoid(sql`insert into notification_event (tag, subject) values (${event._tag}, ${subjectOf(event)}::integer)`)

/** What has happened and is to be told. */
export class NotificationEvents extends Context.Service<
  NotificationEvents,
  {
    /** To be called inside the transaction of what happened: both are written, or none is. */
    readonly record: (event: NotificationEvent) => Effect.Effect<void, DatabaseUnavailable>
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
