import { type WebhookEvent, webhookDeliveryStates, webhookEvents } from "@kinora/domain/enums/WebhookEvent"
import { WebhookNotFound } from "@kinora/domain/errors/ActorErrors"
import { NewWebhook } from "@kinora/domain/requests/WebhookRequests"
import { operator } from "@kinora/domain/users/Operator"
import { WebhookLists } from "@kinora/storage/instance/webhook/WebhookLists"
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Webhooks } from "../instance/webhook/Webhooks.ts"
import { WebhookServices } from "../instance/webhook/WebhookServices.ts"
import { SecretBox } from "../platform/secrets/SecretBox.ts"
import { CliFailure, toCliFailure } from "./CliFailure.ts"
import { operatorLayer } from "./OperatorLayer.ts"
import { count, json, printDone, printList } from "./Output.ts"

const layer = WebhookServices.pipe(Layer.provide(SecretBox.layer), Layer.provide(operatorLayer))

const newest = (number: number) => ({ start: 0, count: number, descending: true })

const readNew = Schema.decodeUnknownEffect(NewWebhook)

const webhook = Argument.Int("webhook").pipe(Argument.withDescription("Id of the webhook"))

const list = Command.make("list", { count, json }, (input) =>
  Effect.gen(function* () {
    yield* printList(input.json, yield* (yield* WebhookLists).list(newest(input.count)), {
      id: ({ id }) => id,
      address: ({ url }) => url,
      events: ({ events }) => events.join(" "),
      active: ({ active, disabledReason }) => (disabledReason === null ? active : `no: ${disabledReason}`),
      waiting: ({ waiting }) => waiting,
      failed: ({ failed }) => failed,
      "last delivered": ({ lastDeliveredAt }) => lastDeliveredAt
    })
  }).pipe(Effect.provide(layer), toCliFailure)
).pipe(Command.withDescription("List webhooks: addresses that are sent what happens."))

const add = Command.make(
  "add",
  {
    url: Argument.String("address").pipe(Argument.withDescription("https address of the receiver")),
    events: Flag.Literals("event", webhookEvents).pipe(
      Flag.withDescription("Send events of this type; repeat it for more. All of them unless given"),
      Flag.between(0, webhookEvents.length)
    ),
    description: Flag.String("description").pipe(Flag.withDescription("What it is for"), Flag.optional),
    json
  },
  (input) =>
    Effect.gen(function* () {
      const events: ReadonlyArray<WebhookEvent> = input.events.length === 0 ? webhookEvents : input.events
      const description = Option.getOrElse(input.description, () => "")
      const wanted = yield* Effect.mapError(
        readNew({ url: input.url, events, description }),
        ({ message }) => new CliFailure({ message, exitCode: 1 })
      )
      const { id, secret } = yield* (yield* Webhooks).add(operator, wanted)
      yield* printDone(input.json, { id, secret }, `Webhook ${id} is added. Its secret is shown this once: ${secret}`)
    }).pipe(Effect.provide(layer), toCliFailure)
).pipe(
  Command.withDescription("Add a webhook, and print the secret that verifies what it is sent."),
  Command.withExamples([
    {
      command: "kinora webhooks add https://receiver.example/hook --event video.published",
      description: "Of published videos alone"
    }
  ])
)

const switched = (name: "enable" | "disable", active: boolean, description: string) =>
  Command.make(name, { webhook, json }, (input) =>
    Effect.gen(function* () {
      yield* (yield* Webhooks).update(operator, input.webhook, { active })
      const state = active ? "active" : "inactive"
      yield* printDone(input.json, { webhook: input.webhook, active }, `Webhook ${input.webhook} is ${state}.`)
    }).pipe(Effect.provide(layer), toCliFailure)
  ).pipe(Command.withDescription(description))

const remove = Command.make("remove", { webhook, json }, (input) =>
  Effect.gen(function* () {
    yield* (yield* Webhooks).remove(operator, input.webhook)
    yield* printDone(input.json, { removed: input.webhook }, `Webhook ${input.webhook} is removed.`)
  }).pipe(Effect.provide(layer), toCliFailure)
).pipe(Command.withDescription("Remove a webhook, its log and what waits for it."))

const secret = Command.make("new-secret", { webhook, json }, (input) =>
  Effect.gen(function* () {
    const made = yield* (yield* Webhooks).renewSecret(operator, input.webhook, undefined)
    yield* printDone(input.json, { webhook: input.webhook, secret: made }, made)
  }).pipe(Effect.provide(layer), toCliFailure)
).pipe(Command.withDescription("Give a webhook another secret, and print it. The former one signs as well for a day."))

const ping = Command.make("ping", { webhook, json }, (input) =>
  Effect.gen(function* () {
    const delivery = yield* (yield* Webhooks).ping(operator, input.webhook)
    yield* printDone(input.json, { delivery }, "The message is sent as soon as the instance runs.")
  }).pipe(Effect.provide(layer), toCliFailure)
).pipe(Command.withDescription("Send a webhook a message to try it."))

const deliveries = Command.make(
  "deliveries",
  {
    webhook,
    state: Flag.Literals("state", webhookDeliveryStates).pipe(
      Flag.withDescription("Print only deliveries in this state"),
      Flag.optional
    ),
    count,
    json
  },
  (input) =>
    Effect.gen(function* () {
      const lists = yield* WebhookLists
      if (Option.isNone(yield* lists.byId(input.webhook))) return yield* new WebhookNotFound()
      const page = { ...newest(input.count), state: Option.getOrUndefined(input.state) }
      yield* printList(input.json, yield* lists.deliveries(input.webhook, page), {
        id: ({ id }) => id,
        event: ({ type }) => type,
        state: ({ state }) => state,
        attempts: ({ attempts }) => attempts,
        status: ({ status }) => status,
        error: ({ error }) => error,
        created: ({ createdAt }) => createdAt
      })
    }).pipe(Effect.provide(layer), toCliFailure)
).pipe(Command.withDescription("List what a webhook was sent, and what waits, the newest first."))

const replay = Command.make(
  "replay",
  {
    webhook,
    delivery: Flag.Int("delivery").pipe(Flag.withDescription("Send this delivery alone"), Flag.optional),
    hours: Flag.Int("hours").pipe(
      Flag.withMetavar("N"),
      Flag.withDescription("Send what has failed of the last so many hours; 24 unless given"),
      Flag.withDefault(24)
    ),
    json
  },
  (input) =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      if (Option.isSome(input.delivery)) {
        yield* webhooks.replay(operator, input.webhook, input.delivery.value)
        return yield* printDone(input.json, { replayed: 1 }, `Delivery ${input.delivery.value} is sent again.`)
      }
      const since = DateTime.formatIso(DateTime.subtract(yield* DateTime.now, { hours: input.hours }))
      const replayed = yield* webhooks.replayFailed(operator, input.webhook, since)
      yield* printDone(input.json, { replayed }, `${replayed} deliveries are sent again.`)
    }).pipe(Effect.provide(layer), toCliFailure)
).pipe(Command.withDescription("Send a webhook again what has failed."))

export const webhooksCommand = Command.make("webhooks").pipe(
  Command.withDescription("Addresses that are sent what happens"),
  Command.withSubcommands([
    list,
    add,
    switched("enable", true, "Make a webhook active, also one that failed for days."),
    switched("disable", false, "Make a webhook inactive. What waits for it fails, and may be replayed."),
    remove,
    secret,
    ping,
    deliveries,
    replay
  ])
)
