import { WebhookNotFound } from "@kinora/domain/errors/ActorErrors"
import { defaultPage } from "@kinora/domain/requests/Pagination"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { WebhookLists } from "@kinora/storage/instance/webhook/WebhookLists"
import { Effect, Option } from "effect"
import { type Answers, answer } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { Webhooks } from "./Webhooks.ts"

/** Webhooks, for administrators. */
export const layer = apiGroup(
  "webhooks",
  Effect.fnUntraced(function* (handlers) {
    const webhooks = yield* Webhooks
    const lists = yield* WebhookLists

    const found = Effect.fnUntraced(function* (id: number) {
      const webhook = yield* lists.byId(id)
      return Option.isNone(webhook) ? yield* new WebhookNotFound() : webhook.value
    })

    return handlers.handleAll({
      getServerWebhooks: ({ query }) => {
        const { count, disabled, sort, start } = { ...defaultPage, ...query }
        return answer(lists.list({ start, count, descending: sort?.descending ?? true, disabled }))
      },
      postServerWebhooks: ({ payload }) =>
        answer(
          Effect.gen(function* () {
            return { webhook: yield* webhooks.add(yield* CurrentUser, payload) }
          })
        ),
      getServerWebhook: ({ params }) => answer(found(params.webhookId)),
      putServerWebhook: ({ params, payload }) =>
        answer(Effect.flatMap(CurrentUser, (user) => webhooks.update(user, params.webhookId, payload))),
      deleteServerWebhook: ({ params }) =>
        answer(Effect.flatMap(CurrentUser, (user) => webhooks.remove(user, params.webhookId))),
      postServerWebhookSecret: ({ params, payload }) =>
        answer(
          Effect.gen(function* () {
            return { secret: yield* webhooks.renewSecret(yield* CurrentUser, params.webhookId, payload.secret) }
          })
        ),
      postServerWebhookPing: ({ params }) =>
        answer(
          Effect.gen(function* () {
            return { delivery: { id: yield* webhooks.ping(yield* CurrentUser, params.webhookId) } }
          })
        ),
      getServerWebhookDeliveries: ({ params, query }) =>
        answer(
          Effect.gen(function* () {
            yield* found(params.webhookId)
            const { count, sort, start, state } = { ...defaultPage, ...query }
            return yield* lists.deliveries(params.webhookId, {
              start,
              count,
              descending: sort?.descending ?? true,
              state
            })
          })
        ),
      postServerWebhookDeliveryReplay: ({ params }) =>
        answer(Effect.flatMap(CurrentUser, (user) => webhooks.replay(user, params.webhookId, params.deliveryId))),
      postServerWebhookReplay: ({ params, payload }) =>
        answer(
          Effect.gen(function* () {
            return { replayed: yield* webhooks.replayFailed(yield* CurrentUser, params.webhookId, payload.since) }
          })
        )
    } satisfies Answers<"webhooks">)
  })
)
