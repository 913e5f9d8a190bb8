import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** Days after which a server is asked again what it is. */
const askedFor = 7

/** Which servers take what is said in a group from the group alone (FEP-1b12). */
export class GroupServers extends Context.Service<
  GroupServers,
  {
    /** Whether channels pass on conversations, for the triggers to read. */
    readonly configure: (announces: boolean) => Effect.Effect<void, DatabaseUnavailable>
    /** Hosts that follow a channel of ours, and are not known, or were asked long ago; a few at a time. */
    readonly unknown: Effect.Effect<ReadonlyArray<string>, DatabaseUnavailable>
    /** What a host says it is; null: it does not say. What was known before stays then. */
    readonly asked: (host: string, software: string | null) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/follows/GroupServers") {
  static readonly layer = Layer.effect(
    GroupServers,
    Effect.map(SqlClient, (sql) =>
      GroupServers.of({
        configure: (announces) =>
          withDatabaseErrors(
            Effect.asVoid(sql`
              insert into instance_setting (key, value) values ('announceConversations', to_jsonb(${announces}::boolean))
              on conflict (key) do update set value = excluded.value where instance_setting.value <> excluded.value`)
          ),
        unknown: withDatabaseErrors(
          Effect.map(
            sql<{ host: string }>`
              select s.host::text as host from server s
              where (s.software_asked_at is null or s.software_asked_at < now() - make_interval(days => ${askedFor}))
                and exists (
                  select from actor a join actor_follow f on f.actor_id = a.id and f.state = 'accepted'
                    join actor t on t.id = f.target_actor_id and t.type = 'Group' and t.server_id is null
                  where a.server_id = s.id
                )
              order by s.software_asked_at nulls first limit 5`,
            (rows) => rows.map(({ host }) => host)
          )
        ),
        asked: (host, software) =>
          withDatabaseErrors(
            Effect.asVoid(sql`
              update server set software = coalesce(${software}::text, software), software_asked_at = now()
              where host = ${host}::text::citext`)
          )
      })
    )
  )
}
