import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** An actor as a comment mentions it. A null host is this instance. */
export const MentionedActor = Schema.Struct({
  id: Schema.Int,
  url: Schema.String,
  username: Schema.String,
  host: Schema.NullOr(Schema.String)
})
export type MentionedActor = typeof MentionedActor.Type

/** Beyond this many nobody is mentioned: a comment is no circular letter. */
const mostNames = 50

const mention =
  /(?:^|[^A-Za-z0-9_@/])@([A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,126}[A-Za-z0-9_])?)(?:@([A-Za-z0-9.:-]{1,255}[A-Za-z0-9]))?/g

/** What a text names as `@name` or `@name@host`. */
const namesIn = (text: string) =>
  Array.from(text.matchAll(mention), ([, name, host]) => ({ name: name!, host: host?.toLowerCase() ?? null })).slice(
    0,
    mostNames
  )

/** People that texts name, by row id, each once. Whoever has a channel's name alone is nobody to answer. */
export const actorsNamedIn = Effect.fnUntraced(function* (sql: SqlClient, texts: ReadonlyArray<string>) {
  const names = texts.flatMap(namesIn)
  if (names.length === 0) return []
  return yield* sql<MentionedActor>`
    select a.id, a.url, a.preferred_username::text as username, s.host::text as host
    from (
      select distinct name, nullif(host, wire_host(wire_origin())) as host
      from unnest(${names.map(({ name }) => name)}::text[], ${names.map(({ host }) => host)}::text[]) u (name, host)
    ) n
      left join server s on s.host = n.host::citext
      join actor a on a.preferred_username = n.name::citext and a.server_id is not distinct from s.id
        and (n.host is null or s.id is not null)
    where exists (select from account o where o.actor_id = a.id)
    order by a.id`
})
