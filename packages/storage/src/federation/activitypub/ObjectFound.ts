import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { PlaylistIdOrUuid } from "@kinora/domain/ids/PlaylistIdOrUuid"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import { Effect, Option, Schema } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** What an object is made of, or the address of one elsewhere; neither: others may not read it. */
export interface ObjectFound<A> {
  readonly row: A | null
  readonly elsewhere: string | null
}

/** None: there is no such thing. */
export type Found<A> = Effect.Effect<Option.Option<ObjectFound<A>>, DatabaseUnavailable>

/** The value of a video or playlist that is asked for, as a parameter. */
export const keyOf = (id: VideoIdOrUuid | PlaylistIdOrUuid): string | number => (id._tag === "Id" ? id.id : id.uuid)

/**
 * Which row is meant, by `$1`: what is unlisted is found by its UUID alone, since row ids can be counted through. `alias`
 * is that of the table.
 */
export const named = (id: VideoIdOrUuid | PlaylistIdOrUuid, alias: string): string =>
  id._tag === "Id" ? `${alias}.id = $1 and ${alias}.privacy = 1` : `${alias}.uuid = $1::uuid`

/** Reads and decodes rows. What the database gives is known, so a row that does not decode is a defect. */
export const rowsOf = <A>(sql: SqlClient, schema: Schema.Codec<A, unknown>) => {
  const decode = Schema.decodeUnknownEffect(Schema.Array(schema))
  return Effect.fnUntraced(function* (text: string, values: ReadonlyArray<unknown>) {
    return yield* Effect.orDie(decode(yield* sql.unsafe<object>(text, values)))
  }, withDatabaseErrors)
}

/**
 * Reads in one statement what is asked for and the row that its object is made of. `target` selects `id`, `shown` (whether
 * others may read it) and `elsewhere`; `rows` selects rows, which can refer to `t.id`.
 */
export const finderOf = <A>(sql: SqlClient, schema: Schema.Codec<A, unknown>) => {
  const decode = Schema.decodeUnknownEffect(schema)
  return Effect.fnUntraced(function* (
    { rows, target }: { readonly target: string; readonly rows: string },
    values: ReadonlyArray<unknown>
  ) {
    const found = yield* sql.unsafe<{ readonly shown: boolean | null; readonly elsewhere: string | null }>(
      `select t.shown and not (r is null) as shown, t.elsewhere, r.* from (${target}) t left join lateral (${rows}) r on t.shown`,
      values
    )
    const one = found[0]
    if (one === undefined) return Option.none<ObjectFound<A>>()
    return Option.some<ObjectFound<A>>({
      row: one.shown === true ? yield* Effect.orDie(decode(one)) : null,
      elsewhere: one.elsewhere
    })
  }, withDatabaseErrors)
}
