import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

/** The client that all token requests use. Its secret is public, as in the contract. */
export interface OAuthClient {
  readonly id: number
  readonly clientId: string
  readonly clientSecret: string
  readonly grants: ReadonlyArray<string>
}

/** The OAuth client of this instance, written during installation. */
export class OAuthClients extends Context.Service<
  OAuthClients,
  { readonly local: Effect.Effect<OAuthClient, DatabaseUnavailable> }
>()("@kinora/storage/sessions/OAuthClients") {
  static readonly layer = Layer.effect(
    OAuthClients,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const local = Effect.gen(function* () {
        const rows = yield* sql<OAuthClient>`
          select id, client_id as "clientId", client_secret as "clientSecret", grants
          from oauth_client order by id limit 1
        `
        const client = rows[0]
        return client ?? (yield* Effect.die("No OAuth client: the instance was not set up"))
      }).pipe(withDatabaseErrors)
      return OAuthClients.of({ local })
    })
  )
}
