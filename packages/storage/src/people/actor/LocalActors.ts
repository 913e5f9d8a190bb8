import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

/** A local actor, for WebFinger and pages. */
export interface LocalActor {
  readonly id: number
  readonly type: "Person" | "Group" | "Application"
  readonly name: string
  readonly url: string
  /** File name of its largest avatar. */
  readonly avatar: string | null
}

/** The actors of this instance, by name. */
export class LocalActors extends Context.Service<
  LocalActors,
  {
    /** The actor with this exact name, ignoring case. */
    readonly byName: (name: string) => Effect.Effect<Option.Option<LocalActor>, DatabaseUnavailable>
  }
>()("@kinora/storage/actors/LocalActors") {
  static readonly layer = Layer.effect(
    LocalActors,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const byName = Effect.fnUntraced(function* (name: string) {
        const rows = yield* sql<LocalActor>`
          select id, type, preferred_username::text as name, url,
            (select i.filename from actor_image i where i.actor_id = actor.id and i.type = 1 order by i.width desc limit 1)
              as avatar
          from actor
          where preferred_username = ${name}::citext and server_id is null
        `
        return Option.fromUndefinedOr(rows[0])
      }, withDatabaseErrors)

      return LocalActors.of({ byName })
    })
  )
}
