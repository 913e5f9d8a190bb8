import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { rowsOf } from "../activitypub/ObjectFound.ts"
import { ActorRow, selectActors } from "../activitypub/rows/ActorRow.ts"
import type { PlayerSettingsRow } from "../activitypub/rows/VideoPartRows.ts"

/** An account or channel of ours, or the instance, as others are to have it. */
export interface PublishedActor {
  readonly url: string
  readonly followersUrl: string
  /** Actors whose followers have it: its own, those of its channels or its account, and those of the instance. */
  readonly followed: ReadonlyArray<number>
}

/** A channel's settings of players. */
export interface PublishedSettings extends PublishedActor, PlayerSettingsRow {
  readonly actorId: number
}

/** What others have of our actors. Everything takes part in the caller's transaction. */
export class ActorPublications extends Context.Service<
  ActorPublications,
  {
    /** Undefined: it is none of ours, or gone. */
    readonly of: (actorId: number) => Effect.Effect<PublishedActor | undefined, DatabaseUnavailable>
    /** What its object is made of. */
    readonly row: (actorId: number) => Effect.Effect<ActorRow, DatabaseUnavailable>
    /** Digest of what was sent last; undefined: nothing was. */
    readonly sentDigest: (actorId: number) => Effect.Effect<string | undefined, DatabaseUnavailable>
    readonly remember: (actorId: number, digest: string) => Effect.Effect<void, DatabaseUnavailable>
    /** Nobody has it: whoever comes later asks for it as it is then. */
    readonly forget: (actorId: number) => Effect.Effect<void, DatabaseUnavailable>
    /** Settings of players of a channel of ours; undefined: it is none, or gone. */
    readonly playerSettings: (channelId: number) => Effect.Effect<PublishedSettings | undefined, DatabaseUnavailable>
  }
>()("@kinora/storage/outbox/ActorPublications") {
  static readonly layer = Layer.effect(
    ActorPublications,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const columns = sql`
        a.url, coalesce(a.followers_url, a.url || '/followers') as "followersUrl", actor_followed(a.id) as followed`

      const of = Effect.fnUntraced(function* (actorId: number) {
        const [row] = yield* sql<PublishedActor>`
          select ${columns} from actor a where a.id = ${actorId} and a.server_id is null for key share of a`
        return row
      }, withDatabaseErrors)

      const actors = rowsOf(sql, ActorRow)
      const row = Effect.fnUntraced(function* (actorId: number) {
        return (yield* actors(selectActors("a.id = $1"), [actorId]))[0]!
      })

      const sentDigest = Effect.fnUntraced(function* (actorId: number) {
        const [row] = yield* sql<{ digest: string }>`
          select encode(digest, 'hex') as digest from actor_published where actor_id = ${actorId}`
        return row?.digest
      }, withDatabaseErrors)

      const remember = Effect.fnUntraced(function* (actorId: number, digest: string) {
        yield* sql`
          insert into actor_published (actor_id, digest) values (${actorId}, decode(${digest}, 'hex'))
          on conflict (actor_id) do update set digest = excluded.digest`
      }, withDatabaseErrors)

      const forget = Effect.fnUntraced(function* (actorId: number) {
        yield* sql`delete from actor_published where actor_id = ${actorId}`
      }, withDatabaseErrors)

      const playerSettings = Effect.fnUntraced(function* (channelId: number) {
        const [row] = yield* sql<PublishedSettings>`
          select ${columns}, a.id as "actorId", c.player_theme as theme
          from video_channel c join actor a on a.id = c.actor_id
          where c.id = ${channelId} and a.server_id is null for key share of a`
        return row
      }, withDatabaseErrors)

      return ActorPublications.of({ of, row, sentDigest, remember, forget, playerSettings })
    })
  )
}
