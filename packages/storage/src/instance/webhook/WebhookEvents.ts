import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isUnavailable, withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** Something that happened, as a trigger marked it in the transaction that made it happen. */
export interface MarkedEvent {
  /** Becomes the id of the message. */
  readonly id: string
  readonly type: string
  /** Table of the row it is about. */
  readonly source: string
  /** Id of that row, which may be gone by now. */
  readonly subject: number
  readonly createdAt: Date
}

/** After so many failures an event is dropped. */
const mostFailures = 8

/** Events that wait to become deliveries. */
export class WebhookEvents extends Context.Service<
  WebhookEvents,
  {
    /**
     * Makes deliveries of the next event, in one transaction with its removal: one for each active webhook that wants it, with
     * the body that `write` gives. None: it is no news any more. So any number of nodes may do this, and one that dies in the
     * middle neither loses nor doubles anything. False: there is nothing to do.
     */
    readonly next: (
      write: (event: MarkedEvent) => Effect.Effect<Option.Option<string>, DatabaseUnavailable>
    ) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/instance/webhook/WebhookEvents") {
  static readonly layer = Layer.effect(
    WebhookEvents,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const settle = (event: MarkedEvent, body: Option.Option<string>) =>
        Effect.gen(function* () {
          if (Option.isSome(body)) {
            yield* sql`
              insert into webhook_delivery (webhook_id, message_id, type, body)
              select id, ${event.id}::uuid, ${event.type}, ${body.value} from webhook
              where active and ${event.type} = any(events) order by id`
          }
          yield* sql`delete from webhook_event where id = ${event.id}::uuid`
        })

      const postpone = Effect.fnUntraced(function* (event: MarkedEvent, cause: unknown) {
        yield* Effect.logError(
          `The event ${event.type} ${event.subject} cannot be sent to webhooks at the moment`,
          cause
        )
        yield* sql`
          update webhook_event set failures = failures + 1,
            not_before = now() + make_interval(secs => least(3600, 2 ^ failures)) where id = ${event.id}::uuid`
        yield* sql`delete from webhook_event where id = ${event.id}::uuid and failures >= ${mostFailures}`
      })

      return WebhookEvents.of({
        next: Effect.fn("WebhookEvents.next")(
          function* (write: (event: MarkedEvent) => Effect.Effect<Option.Option<string>, DatabaseUnavailable>) {
            const [event] = yield* sql<MarkedEvent>`
              select id::text as id, type, source, subject, created_at as "createdAt" from webhook_event
              where not_before <= now() order by created_at, id limit 1 for update skip locked`
            if (event === undefined) return false
            // A transaction of its own inside this one: what fails takes back what it wrote and no more.
            yield* sql.withTransaction(Effect.flatMap(write(event), (body) => settle(event, body))).pipe(
              Effect.catchTag("SqlError", (error) =>
                isUnavailable(error) ? Effect.fail(error) : postpone(event, error)
              ),
              Effect.catchDefect((cause) => postpone(event, cause))
            )
            return true
          },
          sql.withTransaction,
          withDatabaseErrors
        )
      })
    })
  )
}
