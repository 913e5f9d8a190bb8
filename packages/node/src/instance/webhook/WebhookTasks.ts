import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { type HeldWebhook, WebhookDeliveries } from "@kinora/storage/instance/webhook/WebhookDeliveries"
import { WebhookEvents } from "@kinora/storage/instance/webhook/WebhookEvents"
import { WebhookWakeups } from "@kinora/storage/instance/webhook/WebhookWakeups"
import { Duration, Effect, FiberMap, Layer, Option, Queue, Stream } from "effect"
import { every } from "../../platform/supervision/Every.ts"
import { Supervisor } from "../../platform/supervision/Supervisor.ts"
import { WebhookMessages } from "./WebhookMessages.ts"
import { WebhookSending } from "./WebhookSending.ts"

/** Attempts that failed become due again, and wakeups may have been missed. */
const pollEvery = Duration.seconds(5)
const databaseWait = Duration.seconds(1)
/** Webhooks that one node serves at once. */
const mostServed = 16
const keptDays = 30
const batch = 1_000

/**
 * Makes deliveries of what was marked, and sends webhooks what is due. A webhook is served by one fiber; others of this node
 * and of other nodes go on meanwhile.
 */
export const WebhookTasks = Layer.effectDiscard(
  Effect.gen(function* () {
    const supervisor = yield* Supervisor
    const events = yield* WebhookEvents
    const messages = yield* WebhookMessages
    const deliveries = yield* WebhookDeliveries
    const sending = yield* WebhookSending
    const { stream } = yield* WebhookWakeups
    const wakeups = yield* Queue.sliding<void>(1)
    const wake = Queue.offer(wakeups, undefined)

    const serve = (webhook: HeldWebhook) =>
      sending.serve(webhook).pipe(
        Effect.catchTag("DatabaseUnavailable", () => Effect.void),
        Effect.catchDefect((cause) => Effect.logError(`Webhook ${webhook.id} cannot be served at the moment`, cause)),
        Effect.andThen(wake)
      )

    const work = (served: FiberMap.FiberMap<number>): Effect.Effect<void, DatabaseUnavailable> =>
      Effect.gen(function* () {
        while (yield* events.next(messages.of));
        while ((yield* FiberMap.size(served)) < mostServed) {
          const held = yield* deliveries.hold
          if (Option.isNone(held)) return
          yield* FiberMap.run(served, held.value.id, serve(held.value))
        }
      })

    const deliver = Effect.scoped(
      Effect.flatMap(FiberMap.make<number>(), (served) =>
        Effect.andThen(work(served), Effect.timeoutOption(Queue.take(wakeups), pollEvery)).pipe(
          Effect.catchTag("DatabaseUnavailable", () => Effect.sleep(databaseWait)),
          Effect.forever
        )
      )
    )

    const removeOld = Effect.gen(function* () {
      while ((yield* deliveries.removeOld(keptDays, batch)) === batch);
    })

    yield* supervisor.run(
      "webhook wakeups",
      Effect.andThen(
        Stream.runForEach(stream, () => wake),
        Effect.die("the wakeups of webhooks ended")
      )
    )
    yield* supervisor.run("webhooks", deliver)
    yield* supervisor.run("old webhook deliveries", every(Duration.hours(1), removeOld))
  })
).pipe(Layer.provide([WebhookEvents.layer, WebhookWakeups.layer, WebhookSending.layer, WebhookDeliveries.layer]))
