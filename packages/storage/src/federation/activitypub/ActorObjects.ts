import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { finderOf, type Found, keyOf, named } from "./ObjectFound.ts"
import { RateRow } from "./rows/ActivityRows.ts"
import { ActorRow, selectActors } from "./rows/ActorRow.ts"
import { PlayerSettingsRow, selectChannelPlayerSettings } from "./rows/VideoPartRows.ts"

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

const localTarget = (kind: ActorKind | "any"): string => `
  select a.id, true as shown, null::text as elsewhere from actor a
  where a.preferred_username = $1::citext and a.server_id is null and ${ofKind[kind]}`

const remoteTarget = (kind: ActorKind | "any"): string => `
  select a.id, false as shown, a.url as elsewhere from actor a join server s on s.id = a.server_id
  where a.preferred_username = $1::citext and s.host = $2::citext and ${ofKind[kind]}`

const channelTarget = `
  select c.id, true as shown, null::text as elsewhere from actor a join video_channel c on c.actor_id = a.id
  where a.preferred_username = $1::citext and a.server_id is null`

const rateTarget = (video: VideoIdOrUuid): string => `
  select v.id, o.id as account_id, true as shown, null::text as elsewhere
  from video v, actor a join account o on o.actor_id = a.id join account_video_rate r on r.account_id = o.id
  where ${named(video, "v")} and r.video_id = v.id and r.type = $3
    and a.preferred_username = $2::citext and a.server_id is null
    and case when v.remote then v.privacy in (1, 2) else video_is_dereferenced(v.id) end`

const selectRate = `
  select r.type, coalesce(r.url, a.url || '/' || r.type || 's/' || r.video_id) as url, a.url as "actorUrl",
    v.url as "videoUrl"
  from account_video_rate r join video v on v.id = r.video_id join account o on o.id = r.account_id
    join actor a on a.id = o.actor_id
  where r.account_id = t.account_id and r.video_id = t.id`

/** Accounts and channels as other instances read them, and the instance itself. */
export class ActorObjects extends Context.Service<
  ActorObjects,
  {
    readonly actor: (of: ActorName, kind: ActorKind | "any") => Found<ActorRow>
    readonly channelPlayerSettings: (name: string) => Found<PlayerSettingsRow>
    /** The rating by an account of this instance of a video, whichever instance that belongs to. */
    readonly rate: (name: string, video: VideoIdOrUuid, type: "like" | "dislike") => Found<RateRow>
  }
>()("@kinora/storage/activitypub/ActorObjects") {
  static readonly layer = Layer.effect(
    ActorObjects,
    Effect.map(SqlClient, (sql) => {
      const actors = finderOf(sql, ActorRow)
      const settings = finderOf(sql, PlayerSettingsRow)
      const rates = finderOf(sql, RateRow)
      const rows = selectActors("a.id = t.id")
      return ActorObjects.of({
        actor: ({ host, name }, kind) =>
          host === null
            ? actors({ target: localTarget(kind), rows }, [name])
            : actors({ target: remoteTarget(kind), rows }, [name, host]),
        channelPlayerSettings: (name) =>
          settings({ target: channelTarget, rows: selectChannelPlayerSettings("c.id = t.id") }, [name]),
        rate: (name, video, type) => rates({ target: rateTarget(video), rows: selectRate }, [keyOf(video), name, type])
      })
    })
  )
}
