import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { keyOf, named, type ObjectFound } from "./ObjectFound.ts"

/** `account` is whoever is no channel: people, and the instance itself. */
export type ActorKind = "account" | "channel"

/** The name of an actor, and its host when that is not ours. */
export interface ActorName {
  readonly name: string
  readonly host: string | null
}

/** Of the table `actor` with the alias `a`. */
export const ofKind: Readonly<Record<ActorKind | "any", string>> = {
  account: "a.type <> 'Group'",
  channel: "a.type = 'Group'",
  any: "true"
}

type Read = Effect.Effect<Option.Option<ObjectFound>, DatabaseUnavailable>

/** Accounts, channels and the instance as other servers read them. */
export class ActorObjects extends Context.Service<
  ActorObjects,
  {
    readonly actor: (of: ActorName, kind: ActorKind | "any") => Read
    readonly channelPlayerSettings: (name: string) => Read
    /** What an account of this instance thinks of a video, wherever that is. */
    readonly rate: (name: string, video: VideoIdOrUuid, type: "like" | "dislike") => Read
  }
>()("@kinora/storage/activitypub/ActorObjects") {
  static readonly layer = Layer.effect(
    ActorObjects,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const one = (text: string, values: ReadonlyArray<unknown>) =>
        withDatabaseErrors(Effect.map(sql.unsafe<ObjectFound>(text, values), (rows) => Option.fromUndefinedOr(rows[0])))

      return ActorObjects.of({
        actor: ({ host, name }, kind) =>
          host === null
            ? one(
                `select ap_actor(a.id) as text, null as elsewhere from actor a
                where a.preferred_username = $1::citext and a.server_id is null and ${ofKind[kind]}`,
                [name]
              )
            : one(
                `select null as text, a.url as elsewhere from actor a join server s on s.id = a.server_id
                where a.preferred_username = $1::citext and s.host = $2::citext and ${ofKind[kind]}`,
                [name, host]
              ),
        channelPlayerSettings: (name) =>
          one(
            `select ap_channel_player_settings(c.id) as text, null as elsewhere
            from actor a join video_channel c on c.actor_id = a.id
            where a.preferred_username = $1::citext and a.server_id is null`,
            [name]
          ),
        rate: (name, video, type) =>
          one(
            `select ap_rate(o.id, v.id) as text, null as elsewhere
            from video v, actor a join account o on o.actor_id = a.id
              join account_video_rate r on r.account_id = o.id
            where ${named(video, "v")} and r.video_id = v.id and r.type = $3
              and a.preferred_username = $2::citext and a.server_id is null
              and case when v.remote then v.privacy in (1, 2) else video_is_dereferenced(v.id) end`,
            [keyOf(video), name, type]
          )
      })
    })
  )
}
