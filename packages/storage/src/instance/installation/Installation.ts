import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { insertAccount, insertLocalActor, type NewActor } from "../../people/actor/NewActor.ts"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { insertUser, type NewUser } from "../../people/user/NewUser.ts"

/** Everything a new instance starts with. */
export interface FirstContents {
  readonly applicationActor: NewActor
  readonly administrator: NewUser
  readonly client: { readonly id: string; readonly secret: string }
}

const settingKey = "installed_at"

/** Sets up an instance, once for its database. */
export class Installation extends Context.Service<
  Installation,
  {
    readonly isDone: Effect.Effect<boolean, DatabaseUnavailable>
    /**
     * Writes application actor, administrator and OAuth client in one transaction. False if another node did it first;
     * nothing was written then.
     */
    readonly install: (contents: FirstContents) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/instance/Installation") {
  static readonly layer = Layer.effect(
    Installation,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const done = Effect.map(
        sql<{ done: boolean }>`select exists (select 1 from instance_setting where key = ${settingKey}) as done`,
        (rows) => rows[0]!.done
      )

      const write = Effect.fnUntraced(function* (contents: FirstContents) {
        yield* sql`select pg_advisory_xact_lock(hashtext('kinora installation'))`
        if (yield* done) return false
        const application = yield* insertLocalActor(sql, contents.applicationActor)
        yield* insertAccount(sql, {
          actorId: application,
          userId: null,
          displayName: contents.applicationActor.preferredUsername
        })
        yield* insertUser(sql, contents.administrator)
        yield* sql`
          insert into oauth_client (client_id, client_secret, grants)
          values (${contents.client.id}, ${contents.client.secret}, array['password', 'refresh_token'])
        `
        yield* sql`insert into instance_setting (key, value) values (${settingKey}, to_jsonb(now()))`
        return true
      })

      const install = Effect.fn("Installation.install")(
        (contents: FirstContents) => sql.withTransaction(write(contents)),
        withDatabaseErrors
      )

      return Installation.of({ isDone: withDatabaseErrors(done), install })
    })
  )
}
