import type { FetchError } from "@kinora/federation/fetch/FetchError"
import { isHostSilent, type Posted } from "@kinora/federation/fetch/GuardedPost"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import {
  type AttemptResult,
  type DueDelivery,
  type HeldWebhook,
  WebhookDeliveries
} from "@kinora/storage/instance/webhook/WebhookDeliveries"
import { Clock, Context, Duration, Effect, Layer, Option, Random } from "effect"
import { countOutcomes } from "../../platform/observability/Outcomes.ts"
import { type CannotOpen, SecretBox } from "../../platform/secrets/SecretBox.ts"
import {
  attemptTimeout,
  failsForDays,
  keptAnswerBytes,
  maxRetryAfterMillis,
  restMillis,
  waitMillis
} from "./WebhookPolicy.ts"
import { WebhookNotices } from "./WebhookNotices.ts"
import { WebhookPost } from "./WebhookPost.ts"
import { signedHeaders } from "./WebhookSignature.ts"

/** Messages to one webhook before others get their turn. */
const mostInTurn = 100

const countAttempt = countOutcomes(
  "kinora_webhook_attempts_total",
  "Attempts to send a message to a webhook, by what came of it",
  ["delivered", "later", "failed"]
)

/** What PostgreSQL takes as text. */
const excerpt = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8").replaceAll("\u0000", "\uFFFD")

/** What came of one request. */
type Answered = Posted | FetchError | CannotOpen

const isAnswer = (answered: Answered): answered is Posted => !("_tag" in answered)

const errorOf = (answered: Answered): string | null => {
  if (!isAnswer(answered)) {
    return answered._tag === "CannotOpen"
      ? "The secret cannot be read with the secret key of this node. Give the webhook a new secret."
      : answered.message.slice(0, 500)
  }
  const { status } = answered
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400
    ? `The receiver answered ${status}. Redirects are not followed.`
    : `The receiver answered ${status}.`
}

/** Sends webhooks what waits for them: each in the order it is due, one message at a time. */
export class WebhookSending extends Context.Service<
  WebhookSending,
  {
    /** Sends a webhook that this node holds what is due, and gives it back. */
    readonly serve: (webhook: HeldWebhook) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/node/instance/webhook/WebhookSending") {
  static readonly layer = Layer.effect(
    WebhookSending,
    Effect.gen(function* () {
      const deliveries = yield* WebhookDeliveries
      const notices = yield* WebhookNotices
      const box = yield* SecretBox
      const posts = yield* WebhookPost

      const post = Effect.fnUntraced(function* (webhook: HeldWebhook, { body, messageId }: DueDelivery, now: number) {
        const secret = yield* box.open(webhook.sealedSecret, "webhook secret")
        const { formerSealedSecret } = webhook
        const former =
          formerSealedSecret === null
            ? Option.none()
            : yield* Effect.option(box.open(formerSealedSecret, "webhook secret"))
        const secrets = [secret, ...Option.toArray(former)]
        const signed = signedHeaders({ id: messageId, seconds: Math.floor(now / 1_000), body, secrets })
        return yield* posts.post(webhook.url, {
          headers: { ...signed, "content-type": "application/json", accept: "*/*" },
          body: Buffer.from(body),
          wholeMillis: Duration.toMillis(attemptTimeout),
          maxRetryAfterMillis,
          keptAnswerBytes
        })
      })

      const outcomeOf = (answered: Answered, delivery: DueDelivery, now: number, random: number) => {
        if (isAnswer(answered) && errorOf(answered) === null) return { _tag: "Delivered" } as const
        const wait = waitMillis(delivery.attempts + 1, now - delivery.queuedAt.getTime(), random)
        return wait === undefined ? ({ _tag: "Failed" } as const) : ({ _tag: "Later", waitMillis: wait } as const)
      }

      const webhookAfter = (
        answered: Answered,
        webhook: HeldWebhook,
        now: number,
        random: number
      ): AttemptResult["webhook"] => {
        if (isAnswer(answered) && errorOf(answered) === null) return { _tag: "Answers" }
        if (isAnswer(answered) && answered.status === 410) return { _tag: "Disabled", reason: 1 }
        if (failsForDays(webhook.failingSince, now)) return { _tag: "Disabled", reason: 2 }
        if (isAnswer(answered)) {
          const asked = answered.retryAfterMillis
          return asked === undefined ? { _tag: "Answers" } : { _tag: "Rests", restMillis: asked, silent: false }
        }
        return answered._tag === "FetchError" && isHostSilent(answered)
          ? { _tag: "Rests", restMillis: restMillis(webhook.silentTimes + 1, random), silent: true }
          : { _tag: "Answers" }
      }

      /** Sends one; false: the webhook is to be left alone. */
      const attempt = Effect.fn("WebhookSending.attempt")(function* (webhook: HeldWebhook, delivery: DueDelivery) {
        yield* Effect.annotateCurrentSpan({
          "webhook.id": webhook.id,
          "webhook.event": delivery.type,
          "webhook.message_id": delivery.messageId,
          "webhook.attempt": delivery.attempts + 1
        })
        const begun = yield* Clock.currentTimeMillis
        const answered: Answered = yield* Effect.catch(post(webhook, delivery, begun), Effect.succeed)
        const now = yield* Clock.currentTimeMillis
        const random = yield* Random.next
        const status = isAnswer(answered) ? answered.status : null
        const next = webhookAfter(answered, webhook, now, random)
        const outcome =
          next._tag === "Disabled" ? ({ _tag: "Failed" } as const) : outcomeOf(answered, delivery, now, random)
        const isDisabled = yield* notices.settle(webhook, delivery, {
          attemptedAt: begun,
          duration: now - begun,
          status,
          answer: isAnswer(answered) ? excerpt(answered.answer) : null,
          error: errorOf(answered),
          outcome,
          webhook: next
        })
        const word = outcome._tag === "Delivered" ? "delivered" : outcome._tag === "Later" ? "later" : "failed"
        yield* Effect.annotateCurrentSpan({
          "webhook.outcome": word,
          ...(status === null ? {} : { "http.response.status_code": status })
        })
        yield* countAttempt(word)
        if (isDisabled && next._tag === "Disabled") {
          const why = next.reason === 1 ? "its address answered 410" : "nothing was delivered to it for days"
          yield* Effect.logWarning(`Webhook ${webhook.id} is inactive from now on: ${why}.`)
        }
        return next._tag === "Answers"
      })

      const serve = (webhook: HeldWebhook) =>
        Effect.gen(function* () {
          let current = webhook
          for (let i = 0; i < mostInTurn; i++) {
            const due = yield* deliveries.next(current)
            if (Option.isNone(due)) return
            if (!(yield* attempt(current, due.value))) return
            current = { ...current, silentTimes: 0 }
          }
        }).pipe(Effect.ensuring(Effect.ignore(deliveries.release(webhook))))

      return WebhookSending.of({ serve })
    })
  ).pipe(Layer.provide([WebhookDeliveries.layer, WebhookNotices.layer, WebhookPost.layer]))
}
