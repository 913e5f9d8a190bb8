import { webhookPing } from "@kinora/domain/enums/WebhookEvent"
import { Conflict, WebhookDeliveryNotFound, WebhookNotFound } from "@kinora/domain/errors/ActorErrors"
import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { NewWebhook, WebhookUpdate } from "@kinora/domain/requests/WebhookRequests"
import { withDatabaseErrors } from "@kinora/storage/platform/database/DatabaseErrors"
import { WebhookDeliveries } from "@kinora/storage/instance/webhook/WebhookDeliveries"
import { WebhookRows } from "@kinora/storage/instance/webhook/WebhookRows"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomUUID } from "node:crypto"
import { type Asker, AuditTrail } from "../../platform/audit/AuditTrail.ts"
import { difference } from "../../platform/audit/Difference.ts"
import { SecretBox } from "../../platform/secrets/SecretBox.ts"
import { WebhookMessages } from "./WebhookMessages.ts"
import { WebhookPost } from "./WebhookPost.ts"
import { newSecret } from "./WebhookSignature.ts"

/** Each event is written once for each of them. */
const mostWebhooks = 50

type Missing = WebhookNotFound | DatabaseUnavailable

/** Webhooks, as administrators keep them. */
export class Webhooks extends Context.Service<
  Webhooks,
  {
    /** Gives its id and its secret, which is never shown again. */
    readonly add: (
      user: Asker,
      webhook: NewWebhook
    ) => Effect.Effect<
      { readonly id: number; readonly secret: string },
      InvalidParameters | Conflict | DatabaseUnavailable
    >
    readonly update: (
      user: Asker,
      id: number,
      webhook: WebhookUpdate
    ) => Effect.Effect<void, InvalidParameters | Missing>
    readonly remove: (user: Asker, id: number) => Effect.Effect<void, Missing>
    /** Gives the new secret: the given one, or one that is made. The former one signs as well for a day. */
    readonly renewSecret: (user: Asker, id: number, secret: string | undefined) => Effect.Effect<string, Missing>
    /** Has a message sent that tries it; gives the id of the delivery. Refused for one that is inactive, as are replays. */
    readonly ping: (user: Asker, id: number) => Effect.Effect<number, Missing | Conflict>
    readonly replay: (
      user: Asker,
      id: number,
      deliveryId: number
    ) => Effect.Effect<void, Missing | WebhookDeliveryNotFound | Conflict>
    /** Sends again what has failed since a time (ISO 8601); gives how many. */
    readonly replayFailed: (user: Asker, id: number, since: string) => Effect.Effect<number, Missing | Conflict>
  }
>()("@kinora/node/instance/webhook/Webhooks") {
  static readonly layer = Layer.effect(
    Webhooks,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rows = yield* WebhookRows
      const deliveries = yield* WebhookDeliveries
      const messages = yield* WebhookMessages
      const posts = yield* WebhookPost
      const box = yield* SecretBox
      const audit = yield* AuditTrail

      const checked = (url: string) =>
        Effect.mapError(posts.check(url), ({ detail, what }) =>
          InvalidParameters.one(
            "url",
            what === "credentials"
              ? "Must not contain a user name or a password"
              : what === "scheme" || what === "port" || what === "address"
                ? `Is refused (${detail}): webhooks are sent by https, on port 443, to public addresses, unless the operator allows private ones (webhooks.allow_private_addresses)`
                : "Must be an address",
            "body",
            url
          )
        )

      const locked = Effect.fnUntraced(function* (id: number) {
        return (yield* rows.lock(id)) ?? (yield* new WebhookNotFound())
      })

      const active = Effect.fnUntraced(function* (id: number) {
        const webhook = yield* locked(id)
        if (!webhook.active) return yield* new Conflict({ reason: "This webhook is inactive: make it active first" })
      })

      const entry = (action: string, webhookId: number) => ({ domain: "webhook", action, target: { webhookId } })

      const add = Effect.fn("Webhooks.add")(
        function* (user: Asker, { active = true, description = "", events, secret = newSecret(), url }: NewWebhook) {
          yield* checked(url)
          const webhook = { url, description, events, active }
          const id = yield* rows.add(webhook, box.seal(secret, "webhook secret"), mostWebhooks)
          if (id === undefined) return yield* new Conflict({ reason: `There are ${mostWebhooks} webhooks already` })
          yield* audit.record(user, { ...entry("create", id), after: webhook })
          return { id, secret }
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const update = Effect.fn("Webhooks.update")(
        function* (user: Asker, id: number, changes: WebhookUpdate) {
          if (changes.url !== undefined) yield* checked(changes.url)
          const before = yield* locked(id)
          const after = { ...before, ...changes }
          yield* rows.update(id, after)
          const changed = difference({ ...before }, { ...after })
          if (changed !== undefined) yield* audit.record(user, { ...entry("update", id), ...changed })
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const remove = Effect.fn("Webhooks.remove")(
        function* (user: Asker, id: number) {
          const before = yield* locked(id)
          yield* rows.remove(id)
          yield* audit.record(user, { ...entry("delete", id), before: { ...before } })
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const renewSecret = Effect.fn("Webhooks.renewSecret")(
        function* (user: Asker, id: number, given: string | undefined) {
          const secret = given ?? newSecret()
          yield* locked(id)
          yield* rows.setSecret(id, box.seal(secret, "webhook secret"))
          yield* audit.record(user, entry("renew-secret", id))
          return secret
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const ping = Effect.fn("Webhooks.ping")(
        function* (user: Asker, id: number) {
          yield* active(id)
          const messageId = randomUUID()
          const body = yield* messages.ping(messageId, id)
          const deliveryId = yield* deliveries.add({ webhookId: id, messageId, type: webhookPing, body })
          yield* audit.record(user, entry("ping", id))
          return deliveryId
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const replay = Effect.fn("Webhooks.replay")(
        function* (user: Asker, id: number, deliveryId: number) {
          yield* active(id)
          if (!(yield* deliveries.replay(id, deliveryId))) return yield* new WebhookDeliveryNotFound()
          yield* audit.record(user, { domain: "webhook", action: "replay", target: { webhookId: id, deliveryId } })
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const replayFailed = Effect.fn("Webhooks.replayFailed")(
        function* (user: Asker, id: number, since: string) {
          yield* active(id)
          const replayed = yield* deliveries.replayFailed(id, since)
          yield* audit.record(user, { ...entry("replay-failed", id), after: { since, replayed } })
          return replayed
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      return Webhooks.of({ add, update, remove, renewSecret, ping, replay, replayFailed })
    })
  )
}
