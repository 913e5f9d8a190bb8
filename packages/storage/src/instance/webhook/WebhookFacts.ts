import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

export interface VideoFacts {
  readonly id: number
  readonly uuid: string
  readonly name: string
  readonly privacy: number
  readonly state: number
  readonly isLive: boolean
  readonly duration: number
  readonly channelName: string
  readonly channelDisplayName: string
  readonly publishedAt: string
  readonly visible: boolean
}

export interface ImportFacts {
  readonly id: number
  readonly error: string | null
  readonly videoId: number | null
}

export interface SessionFacts {
  readonly id: number
  readonly videoId: number
  readonly startedAt: string
  readonly endedAt: string | null
  readonly error: number | null
}

export interface ReportFacts {
  readonly id: number
  readonly kind: "video" | "comment" | "account"
  readonly reason: string
  readonly predefinedReasons: ReadonlyArray<number>
  readonly remote: boolean
  readonly createdAt: string
}

export interface RegistrationFacts {
  readonly id: number
  readonly username: string
  readonly reason: string
  readonly createdAt: string
}

export interface UserFacts {
  readonly id: number
  readonly username: string
  readonly role: 0 | 1 | 2
  readonly createdAt: string
}

export interface HeldCommentFacts {
  readonly id: number
  readonly videoId: number
  readonly threadId: number
  readonly createdAt: string
}

type Read<A> = (id: number) => Effect.Effect<A | undefined, DatabaseUnavailable>

/** What messages to webhooks say. Undefined stands for what is gone by now, or is no news any more. */
export class WebhookFacts extends Context.Service<
  WebhookFacts,
  {
    /** A video of this instance. */
    readonly video: Read<VideoFacts>
    readonly import: Read<ImportFacts>
    readonly session: Read<SessionFacts>
    readonly report: Read<ReportFacts>
    /** A request for an account that nobody has answered. */
    readonly registration: Read<RegistrationFacts>
    readonly user: Read<UserFacts>
    /** A comment that waits for review below a video of this instance. */
    readonly heldComment: Read<HeldCommentFacts>
  }
>()("@kinora/storage/instance/webhook/WebhookFacts") {
  static readonly layer = Layer.effect(
    WebhookFacts,
    Effect.map(SqlClient, (sql) => {
      const first = <A, E>(rows: Effect.Effect<ReadonlyArray<A>, E>) => Effect.map(rows, ([row]) => row)
      return WebhookFacts.of({
        video: (id) =>
          withDatabaseErrors(
            first(sql<VideoFacts>`
              select v.id, v.uuid::text as uuid, v.name, v.privacy, v.state, v.is_live as "isLive", v.duration,
                a.preferred_username::text as "channelName", c.display_name as "channelDisplayName",
                wire_time(v.published_at) as "publishedAt", v.visible <> 0 as visible
              from video v join video_channel c on c.id = v.channel_id join actor a on a.id = c.actor_id
              where v.id = ${id} and not v.remote`)
          ),
        import: (id) =>
          withDatabaseErrors(
            first(sql<ImportFacts>`
              select id, left(error, 500) as error, video_id as "videoId" from video_import where id = ${id} and state = 3`)
          ),
        session: (id) =>
          withDatabaseErrors(
            first(sql<SessionFacts>`
              select id, video_id as "videoId", wire_time(started_at) as "startedAt", wire_time(ended_at) as "endedAt", error
              from live_session where id = ${id}`)
          ),
        report: (id) =>
          withDatabaseErrors(
            first(sql<ReportFacts>`
              select id, kind, reason, predefined_reasons as "predefinedReasons", url is not null as remote,
                wire_time(created_at) as "createdAt"
              from abuse where id = ${id}`)
          ),
        registration: (id) =>
          withDatabaseErrors(
            first(sql<RegistrationFacts>`
              select id, username::text as username, registration_reason as reason, wire_time(created_at) as "createdAt"
              from user_registration where id = ${id} and state = 1`)
          ),
        user: (id) =>
          withDatabaseErrors(
            first(sql<UserFacts>`
              select id, username::text as username, role, wire_time(created_at) as "createdAt" from app_user
              where id = ${id}`)
          ),
        heldComment: (id) =>
          withDatabaseErrors(
            first(sql<HeldCommentFacts>`
              select c.id, c.video_id as "videoId", coalesce(c.origin_comment_id, c.id) as "threadId",
                wire_time(c.created_at) as "createdAt"
              from video_comment c join video v on v.id = c.video_id
              where c.id = ${id} and c.held_for_review and c.deleted_at is null and not v.remote`)
          )
      })
    })
  )
}
