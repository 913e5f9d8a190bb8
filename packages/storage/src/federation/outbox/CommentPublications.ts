import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { actorsNamedIn } from "../activitypub/rows/Mentions.ts"
import { rowsOf } from "../activitypub/ObjectFound.ts"
import { NoteColumns, type NoteRow, noteRowOf, selectNotes } from "../activitypub/rows/NoteRow.ts"

/** A comment as it is now. */
export interface PublishedComment {
  readonly url: string
  readonly videoId: number
  readonly authorId: number
  readonly authorUrl: string
  readonly authorInbox: string
  readonly isByOthers: boolean
  /** Whether others may read it: it waits for nothing, and its video is there for them. */
  readonly isFederated: boolean
  /** The comment or video it answers. */
  readonly inReplyTo: string
}

/** The video a comment stands below. */
export interface CommentedVideo {
  readonly url: string
  readonly isRemote: boolean
  readonly isPublic: boolean
  /** Whether others hear of it without asking. */
  readonly isPushed: boolean
  /** Whether others may have it. */
  readonly isKnown: boolean
  /** Whether comments wait until its owner lets them in. */
  readonly asksReview: boolean
  readonly channelActorId: number
  readonly ownerActorId: number
  readonly instanceActorId: number
  /** Of one elsewhere: (shared) inbox of its channel. */
  readonly originInbox: string | null
}

/**
 * Servers of groups: they take what others do in a group from the group alone, and others know nothing of activities that are
 * announced. So each inbox gets one of both and never both.
 */
const groupSoftware = ["lemmy", "piefed", "mbin", "kbin", "lotide", "sublinks"]

/** Comments, and what is below which video. */
export class CommentPublications extends Context.Service<
  CommentPublications,
  {
    /** Undefined: it is deleted. */
    readonly of: (commentId: number) => Effect.Effect<PublishedComment | undefined, DatabaseUnavailable>
    readonly video: (videoId: number) => Effect.Effect<CommentedVideo | undefined, DatabaseUnavailable>
    /** What its Note is made of. */
    readonly note: (commentId: number) => Effect.Effect<NoteRow, DatabaseUnavailable>
    /** (Shared) inboxes of these actors, as far as they are known and elsewhere. */
    readonly inboxesOf: (actorUrls: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>, DatabaseUnavailable>
    /** The same of people that words name. */
    readonly inboxesNamedIn: (words: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>, DatabaseUnavailable>
    /** The same of actors by their rows. */
    readonly inboxesOfActors: (
      actorIds: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyArray<string>, DatabaseUnavailable>
    /** Inboxes of the followers of a channel on servers of groups; none where channels do not announce what is said. */
    readonly groupInboxes: (channelActorId: number) => Effect.Effect<ReadonlyArray<string>, DatabaseUnavailable>
  }
>()("@kinora/storage/outbox/CommentPublications") {
  static readonly layer = Layer.effect(
    CommentPublications,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const of = Effect.fnUntraced(function* (commentId: number) {
        const [row] = yield* sql<PublishedComment>`
          select c.url, c.video_id as "videoId", a.id as "authorId", a.url as "authorUrl", a.inbox_url as "authorInbox",
            a.server_id is not null as "isByOthers", comment_is_federated(c.id) as "isFederated",
            coalesce(p.url, v.url) as "inReplyTo"
          from video_comment c join video v on v.id = c.video_id join account o on o.id = c.account_id
            join actor a on a.id = o.actor_id left join video_comment p on p.id = c.in_reply_to_comment_id
          where c.id = ${commentId} and c.deleted_at is null`
        return row
      }, withDatabaseErrors)

      const video = Effect.fnUntraced(function* (videoId: number) {
        const [row] = yield* sql<CommentedVideo>`
          select v.url, v.remote as "isRemote", v.privacy = 1 as "isPublic", not v.remote and video_is_pushed(v.id) as "isPushed",
            coalesce(video_is_known(v.id), false) as "isKnown", v.comments_policy = 3 as "asksReview",
            c.actor_id as "channelActorId", a.actor_id as "ownerActorId", instance_actor() as "instanceActorId",
            case when v.remote then inbox_of(c.actor_id) end as "originInbox"
          from video v join video_channel c on c.id = v.channel_id join account a on a.id = v.account_id
          where v.id = ${videoId}`
        return row
      }, withDatabaseErrors)

      const notes = rowsOf(sql, NoteColumns)
      const withMentions = noteRowOf(sql)
      const note = Effect.fnUntraced(function* (commentId: number) {
        return yield* withMentions((yield* notes(selectNotes("c.id = $1"), [commentId]))[0]!)
      })

      const inboxesWhere = Effect.fnUntraced(function* (are: Fragment) {
        const rows = yield* sql<{ inboxes: ReadonlyArray<string> }>`
          select array(
            select distinct coalesce(shared_inbox_url, inbox_url) from actor where ${are} and server_id is not null
          ) as inboxes`
        return rows[0]!.inboxes
      }, withDatabaseErrors)

      const inboxesOf = (actorUrls: ReadonlyArray<string>) =>
        actorUrls.length === 0 ? Effect.succeed([]) : inboxesWhere(sql`url = any(${actorUrls}::text[])`)

      const inboxesOfActors = (actorIds: ReadonlyArray<number>) =>
        actorIds.length === 0 ? Effect.succeed([]) : inboxesWhere(sql`id = any(${actorIds}::integer[])`)

      const inboxesNamedIn = Effect.fnUntraced(function* (words: ReadonlyArray<string>) {
        const actors = yield* withDatabaseErrors(actorsNamedIn(sql, words))
        return yield* inboxesOfActors(actors.map(({ id }) => id))
      })

      const groupInboxes = Effect.fnUntraced(function* (channelActorId: number) {
        const rows = yield* sql<{ inboxes: ReadonlyArray<string> }>`
          select array(
            select distinct coalesce(a.shared_inbox_url, a.inbox_url)
            from actor_follow f join actor a on a.id = f.actor_id join server s on s.id = a.server_id
            where announces_conversations() and f.target_actor_id = ${channelActorId} and f.follower_remote
              and f.state = 'accepted' and lower(s.software) = any(${groupSoftware}::text[])
          ) as inboxes`
        return rows[0]!.inboxes
      }, withDatabaseErrors)

      return CommentPublications.of({ of, video, note, inboxesOf, inboxesNamedIn, inboxesOfActors, groupInboxes })
    })
  )
}
