import type { WebhookEvent } from "@kinora/domain/enums/WebhookEvent"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** What an administrator says of a webhook. */
export interface WebhookSettings {
  readonly url: string
  readonly description: string
  readonly events: ReadonlyArray<WebhookEvent>
  readonly active: boolean
}

/** Webhooks, as administrators change them. Calls take part in the caller's transaction. */
export class WebhookRows extends Context.Service<
  WebhookRows,
  {
    /** Gives its row id; undefined: there are `most` of them already. */
    readonly add: (
      webhook: WebhookSettings,
      sealedSecret: string,
      most: number
    ) => Effect.Effect<number | undefined, DatabaseUnavailable>
    /** Its settings, locked; undefined: there is none. */
    readonly lock: (id: number) => Effect.Effect<WebhookSettings | undefined, DatabaseUnavailable>
    /**
     * Stores its settings. One that becomes active, or has another address, is tried at once, and why it was inactive is forgotten.
     * One that becomes inactive fails what waits for it: it may be replayed. Whoever sends to a former address loses its lease: what
     * it was sending goes to the new one.
     */
    readonly update: (id: number, webhook: WebhookSettings) => Effect.Effect<void, DatabaseUnavailable>
    readonly remove: (id: number) => Effect.Effect<void, DatabaseUnavailable>
    /** The former one signs as well for a day. Whoever signs without the new one loses its lease. */
    readonly setSecret: (id: number, sealedSecret: string) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/instance/webhook/WebhookRows") {
  static readonly layer = Layer.effect(
    WebhookRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const add = Effect.fn("WebhookRows.add")(function* (
        { active, description, events, url }: WebhookSettings,
        sealedSecret: string,
        most: number
      ) {
        const rows = yield* sql<{ id: number }>`
          insert into webhook (url, description, events, sealed_secret, active)
          select ${url}, ${description}, ${events}::text[], ${sealedSecret}, ${active}::boolean
          where (select count(*) from webhook) < ${most} returning id`
        return rows[0]?.id
      }, withDatabaseErrors)

      const lock = Effect.fn("WebhookRows.lock")(function* (id: number) {
        const rows = yield* sql<WebhookSettings>`
          select url, description, events, active from webhook where id = ${id} for update`
        return rows[0]
      }, withDatabaseErrors)

      const update = Effect.fn("WebhookRows.update")(function* (id: number, webhook: WebhookSettings) {
        const { active, description, events, url } = webhook
        yield* sql`
          update webhook set url = ${url}, description = ${description}, events = ${events}::text[], updated_at = now(),
            active = ${active}::boolean,
            disabled_reason = case when ${active}::boolean then null else disabled_reason end,
            failing_since = case when ${active}::boolean and (not active or url <> ${url}) then null else failing_since end,
            silent_times = case when ${active}::boolean and (not active or url <> ${url}) then 0 else silent_times end,
            rest_until = case when ${active}::boolean and (not active or url <> ${url}) then '-infinity' else rest_until end,
            lease_token = case when url = ${url} then lease_token end,
            lease_until = case when url = ${url} then lease_until else now() end
          where id = ${id}`
        if (!active) yield* failWaiting(sql, id)
      }, withDatabaseErrors)

      return WebhookRows.of({
        add,
        lock,
        update,
        remove: (id) => withDatabaseErrors(Effect.asVoid(sql`delete from webhook where id = ${id}`)),
        setSecret: (id, sealedSecret) =>
          withDatabaseErrors(
            Effect.asVoid(sql`
              update webhook set former_sealed_secret = sealed_secret, former_until = now() + interval '1 day',
                sealed_secret = ${sealedSecret}, updated_at = now(), lease_token = null, lease_until = now()
              where id = ${id}`)
          )
      })
    })
  )
}

/** Ends what waits for a webhook that is no longer active. */
export const failWaiting = (sql: SqlClient, webhookId: number) =>
  Effect.asVoid(sql`
    update webhook_delivery set state = 3, error = 'The webhook became inactive before this was delivered.'
    where webhook_id = ${webhookId} and state = 1`)
