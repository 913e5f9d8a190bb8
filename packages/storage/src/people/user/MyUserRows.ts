import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Consents, setConsents } from "../actor/Consents.ts"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

/** The parts of a user that changes need. */
export interface MyUserFacts {
  /** The actor of the user's account. */
  readonly actorId: number
  readonly pluginAuth: string | null
}

/** Changes that a user makes together. Missing fields stay. */
export interface MyUserChanges extends Consents {
  readonly displayName?: string | undefined
  readonly description?: string | null | undefined
  /** Under their API names. */
  readonly preferences: Readonly<Record<string, unknown>>
}

/** What users change of themselves. */
export class MyUserRows extends Context.Service<
  MyUserRows,
  {
    readonly facts: (userId: number) => Effect.Effect<Option.Option<MyUserFacts>, DatabaseUnavailable>
    /** Locks the user in the caller's transaction and returns the chosen preferences. */
    readonly lockPreferences: (
      userId: number
    ) => Effect.Effect<Option.Option<Readonly<Record<string, unknown>>>, DatabaseUnavailable>
    readonly update: (userId: number, changes: MyUserChanges) => Effect.Effect<void, DatabaseUnavailable>
    /** Adds to the chosen settings. */
    readonly setNotifications: (
      userId: number,
      chosen: Readonly<Record<string, number | undefined>>
    ) => Effect.Effect<void, DatabaseUnavailable>
    /** Adds a bit to the announced features that the user has read. */
    readonly markFeatureRead: (userId: number, feature: number) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/users/MyUserRows") {
  static readonly layer = Layer.effect(
    MyUserRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const facts = Effect.fn("MyUserRows.facts")(function* (userId: number) {
        const rows = yield* sql<MyUserFacts>`
          select a.actor_id as "actorId", u.plugin_auth as "pluginAuth"
          from app_user u join account a on a.user_id = u.id where u.id = ${userId}`
        return Option.fromUndefinedOr(rows[0])
      }, withDatabaseErrors)

      const lockPreferences = Effect.fn("MyUserRows.lockPreferences")(function* (userId: number) {
        const rows = yield* sql<{ preferences: Readonly<Record<string, unknown>> }>`
          select preferences from app_user where id = ${userId} for update`
        return Option.map(Option.fromUndefinedOr(rows[0]), ({ preferences }) => preferences)
      }, withDatabaseErrors)

      const update = Effect.fn("MyUserRows.update")(
        function* (userId: number, { description, displayName, preferences, ...consents }: MyUserChanges) {
          yield* sql`
            update app_user set preferences = preferences || ${JSON.stringify(preferences)}::text::jsonb,
              updated_at = now()
            where id = ${userId}`
          if (displayName !== undefined || description !== undefined) {
            yield* sql`
              update account set display_name = coalesce(${displayName ?? null}::text, display_name),
                description = case when ${description !== undefined} then ${description ?? null}::text else description end,
                updated_at = now()
              where user_id = ${userId}`
          }
          const [actor] = yield* sql<{ id: number }>`select actor_id as id from account where user_id = ${userId}`
          if (actor !== undefined) yield* setConsents(sql, actor.id, consents)
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const setNotifications = Effect.fn("MyUserRows.setNotifications")(function* (
        userId: number,
        chosen: Readonly<Record<string, number | undefined>>
      ) {
        yield* sql`
          update app_user set updated_at = now(),
            notification_settings = notification_settings || ${JSON.stringify(chosen)}::text::jsonb
          where id = ${userId}`
      }, withDatabaseErrors)

      const markFeatureRead = Effect.fn("MyUserRows.markFeatureRead")(function* (userId: number, feature: number) {
        yield* sql`
          update app_user set updated_at = now(), preferences = preferences || jsonb_build_object(
            'newFeaturesInfoRead', coalesce((preferences ->> 'newFeaturesInfoRead')::integer, 0) | ${feature}::integer
          ) where id = ${userId}`
      }, withDatabaseErrors)

      return MyUserRows.of({ facts, lockPreferences, update, setNotifications, markFeatureRead })
    })
  )
}
