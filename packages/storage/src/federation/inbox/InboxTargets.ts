import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { followedByInstance } from "../follow/FollowedByInstance.ts"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** A video an activity is about. */
export interface TargetVideo {
  readonly id: number
  readonly url: string
  readonly remote: boolean
  /** Others may know of it (`video_is_federated`); of a remote one, always. */
  readonly open: boolean
  /** Of its account's instance; null: ours. */
  readonly host: string | null
  readonly accountActorId: number
  readonly channelActorId: number
}

/** Something of another instance that is kept here, and the actors it belongs to. */
export interface KeptObject {
  readonly kind: "actor" | "video" | "comment" | "playlist"
  readonly owners: ReadonlyArray<number>
}

/** A comment on a video of another instance. */
export interface OurComment {
  readonly id: number
  readonly held: boolean
  /** Actors that may say whether the video shows it: of its account and its channel. */
  readonly deciders: ReadonlyArray<number>
}

/** What activities name, by address. */
export class InboxTargets extends Context.Service<
  InboxTargets,
  {
    /** An actor of this instance: its row. */
    readonly localActor: (url: string) => Effect.Effect<number | undefined, DatabaseUnavailable>
    readonly video: (url: string) => Effect.Effect<TargetVideo | undefined, DatabaseUnavailable>
    /** Those of these that there are, by address. */
    readonly videos: (
      urls: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, TargetVideo>, DatabaseUnavailable>
    readonly kept: (url: string) => Effect.Effect<KeptObject | undefined, DatabaseUnavailable>
    readonly ourComment: (url: string) => Effect.Effect<OurComment | undefined, DatabaseUnavailable>
    /** Any comment, ours too, below a video of another instance, and the actors that video belongs to. */
    readonly commentElsewhere: (url: string) => Effect.Effect<OurComment | undefined, DatabaseUnavailable>
    /** Whether it is a video of ours, or of somebody who is followed here, or a comment below one. */
    readonly isOfUse: (url: string) => Effect.Effect<boolean, DatabaseUnavailable>
    /** What an activity that the same actor sent before was about. */
    readonly former: (
      uri: string,
      actorUrl: string
    ) => Effect.Effect<{ readonly type: string; readonly object: string | null } | undefined, DatabaseUnavailable>
    /** Whether anybody here follows an actor of the host, or the host as a whole. */
    readonly isFollowed: (serverId: number) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Whether the instance itself follows anybody there, and not only its users. */
    readonly isFollowedByInstance: (serverId: number) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Whether it is an instance's own actor that is followed here: anybody could call themselves one. */
    readonly standsForHost: (actorId: number) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/inbox/InboxTargets") {
  static readonly layer = Layer.effect(
    InboxTargets,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const localActor = Effect.fnUntraced(function* (url: string) {
        const [row] = yield* sql<{ id: number }>`select id from actor where url = ${url} and server_id is null`
        return row?.id
      }, withDatabaseErrors)

      const videos = Effect.fnUntraced(function* (urls: ReadonlyArray<string>) {
        const rows = yield* sql<TargetVideo>`
          select v.id, v.url, v.remote, v.remote or video_is_federated(v.id) as open, s.host::text as host,
            a.id as "accountActorId", c.actor_id as "channelActorId"
          from video v join account o on o.id = v.account_id join actor a on a.id = o.actor_id
            join video_channel c on c.id = v.channel_id left join server s on s.id = a.server_id
          where v.url = any(${urls}::text[])`
        return new Map(rows.map((row) => [row.url, row]))
      }, withDatabaseErrors)

      const video = (url: string) => Effect.map(videos([url]), (found) => found.get(url))

      const kept = Effect.fnUntraced(function* (url: string) {
        const [row] = yield* sql<KeptObject>`
          select 'actor' as kind, array[id] as owners from actor where url = ${url} and server_id is not null
          union all
          select 'video', array[o.actor_id, c.actor_id] from video v join account o on o.id = v.account_id
            join video_channel c on c.id = v.channel_id where v.url = ${url} and v.remote
          union all
          select 'comment', array[o.actor_id] from video_comment c join account o on o.id = c.account_id
            where c.url = ${url} and c.server_id is not null
          union all
          select 'playlist', array_remove(array[o.actor_id, c.actor_id], null) from video_playlist p
            join account o on o.id = p.owner_account_id left join video_channel c on c.id = p.channel_id
            where p.url = ${url} and p.remote
          limit 1`
        return row
      }, withDatabaseErrors)

      const ourComment = Effect.fnUntraced(function* (url: string) {
        const [row] = yield* sql<OurComment>`
          select m.id, m.held_for_review as held, array[o.actor_id, c.actor_id] as deciders
          from video_comment m join video v on v.id = m.video_id and v.remote join account o on o.id = v.account_id
            join video_channel c on c.id = v.channel_id
          where m.url = ${url} and m.server_id is null and m.deleted_at is null`
        return row
      }, withDatabaseErrors)

      const commentElsewhere = Effect.fnUntraced(function* (url: string) {
        const [row] = yield* sql<OurComment>`
          select m.id, m.held_for_review as held, array[o.actor_id, c.actor_id] as deciders
          from video_comment m join video v on v.id = m.video_id and v.remote join account o on o.id = v.account_id
            join video_channel c on c.id = v.channel_id
          where m.url = ${url} and m.deleted_at is null`
        return row
      }, withDatabaseErrors)

      const isOfUse = Effect.fnUntraced(function* (url: string) {
        const [row] = yield* sql<{ useful: boolean }>`
          select exists (
            select from video v join video_channel c on c.id = v.channel_id join account o on o.id = v.account_id
              join actor t on t.id = c.actor_id
            where v.id in (
              select id from video where url = ${url} union all select video_id from video_comment where url = ${url}
            ) and case when v.remote then exists (
              select from actor_follow f join actor a on a.id = f.actor_id and a.server_id is null
                join actor w on w.id = f.target_actor_id
              where f.state = 'accepted'
                and (w.id in (c.actor_id, o.actor_id) or (w.type = 'Application' and w.server_id = t.server_id))
            ) else video_is_federated(v.id) end
          ) as useful`
        return row!.useful
      }, withDatabaseErrors)

      const former = Effect.fnUntraced(function* (uri: string, actorUrl: string) {
        const [row] = yield* sql<{ type: string; object: string | null }>`
          select type, object from inbox_activity where uri = ${uri} and actor_url = ${actorUrl}`
        return row
      }, withDatabaseErrors)

      const isFollowed = Effect.fnUntraced(function* (serverId: number) {
        const [row] = yield* sql<{ followed: boolean }>`
          select exists (
            select from actor_follow f join actor t on t.id = f.target_actor_id and t.server_id = ${serverId}
              join actor a on a.id = f.actor_id and a.server_id is null
            where f.state = 'accepted'
          ) as followed`
        return row!.followed
      }, withDatabaseErrors)

      const isFollowedByInstance = Effect.fnUntraced(function* (serverId: number) {
        const [row] = yield* sql<{ followed: boolean }>`
          select ${followedByInstance(sql, sql`${serverId}::integer`)} as followed`
        return row!.followed
      }, withDatabaseErrors)

      const standsForHost = Effect.fnUntraced(function* (actorId: number) {
        const [row] = yield* sql<{ stands: boolean }>`
          select exists (
            select from actor t join actor_follow f on f.target_actor_id = t.id and f.state = 'accepted'
              join actor a on a.id = f.actor_id and a.server_id is null
            where t.id = ${actorId} and t.type = 'Application'
          ) as stands`
        return row!.stands
      }, withDatabaseErrors)

      return InboxTargets.of({
        ...{
          localActor,
          video,
          videos,
          kept,
          ourComment,
          commentElsewhere,
          isOfUse,
          former,
          isFollowed,
          isFollowedByInstance,
          standsForHost
        }
      })
    })
  )
}
