import { type GuardedPost, isHostSilent } from "@kinora/federation/fetch/GuardedPost"
import { signRequest } from "@kinora/federation/signatures/SignRequest"
import { otherForm } from "@kinora/federation/signatures/SignedRequest"
import type { DeliveryForm } from "@kinora/storage/federation/outbox/DeliveryHost"
import { Clock, Duration, Effect } from "effect"
import { countOutcomes } from "../../platform/observability/Outcomes.ts"
import type { Traced } from "../../platform/observability/Traced.ts"
import type { SignedActivity } from "./ActivityDocuments.ts"
import { deliveryTimeout, maxRetryAfterMillis, type Verdict, verdictOf } from "./DeliveryPolicy.ts"

const countAttempt = countOutcomes(
  "kinora_delivery_attempts_total",
  "Attempts to deliver an activity to an inbox, by what came of it",
  ["Delivered", "Gone", "Refused", "Later", "HostRests"]
)

/** What came of one delivery, in words for an administrator. */
export interface Attempt {
  readonly verdict: Exclude<Verdict, { readonly _tag: "Unsigned" }>
  /** The form the host took. */
  readonly form: DeliveryForm
  readonly status: number | null
  readonly error: string
}

/**
 * Sends an activity to an inbox, signed in the form the host is known to take. One that does not accept the signature is
 * asked once more in the other form (double-knock).
 */
export const makeAttempt = (posts: GuardedPost["Service"], traced: Traced) => {
  const knock = Effect.fnUntraced(function* (url: string, { body, digests, key }: SignedActivity, form: DeliveryForm) {
    const now = yield* Clock.currentTimeMillis
    const digest = form === "cavage" ? { digest: digests.cavage } : { "content-digest": digests.rfc9421 }
    const signature = yield* signRequest({ method: "POST", url, headers: digest, body, form, key, now })
    return yield* posts.post(url, {
      headers: {
        "content-type": "application/activity+json",
        accept: "application/activity+json, application/ld+json",
        ...signature
      },
      body,
      wholeMillis: Duration.toMillis(deliveryTimeout),
      maxRetryAfterMillis
    })
  })

  const attempt = Effect.fnUntraced(function* (
    url: string,
    activity: SignedActivity,
    wanted: DeliveryForm,
    failed: number
  ) {
    const answered = Effect.fnUntraced(function* (form: DeliveryForm) {
      const answer = yield* knock(url, activity, form)
      return { form, status: answer.status, verdict: verdictOf(answer.status, answer.retryAfterMillis, failed) }
    })
    const first = yield* answered(wanted)
    if (first.verdict._tag !== "Unsigned") return first
    const second = yield* answered(otherForm(wanted))
    return second.verdict._tag === "Delivered" ? second : first
  })

  const send = (url: string, activity: SignedActivity, form: DeliveryForm, failed: number): Effect.Effect<Attempt> =>
    attempt(url, activity, form, failed).pipe(
      Effect.map(({ verdict, ...rest }) => ({
        ...rest,
        // It may not have been able to ask for our key.
        verdict: verdict._tag === "Unsigned" ? ({ _tag: "Later" } as const) : verdict,
        error: `The inbox answered ${rest.status}.`
      })),
      Effect.catchTag("FetchError", (failure) =>
        Effect.succeed<Attempt>({
          verdict: isHostSilent(failure) ? { _tag: "HostRests", failing: true } : { _tag: "Refused" },
          form,
          status: null,
          error: failure.message.slice(0, 500)
        })
      ),
      Effect.tap(({ verdict }) => countAttempt(verdict._tag)),
      Effect.tap(({ status, verdict }) =>
        Effect.annotateCurrentSpan({
          "delivery.outcome": verdict._tag,
          ...(status === null ? {} : { "http.response.status_code": status })
        })
      )
    )

  /** `failed`: attempts before this one. */
  return (url: string, activity: SignedActivity, form: DeliveryForm, failed: number): Effect.Effect<Attempt> =>
    traced(send(url, activity, form, failed), "deliver activity", {
      root: true,
      kind: "client",
      attributes: {
        "server.address": URL.parse(url)?.host ?? "",
        "delivery.attempt": failed + 1,
        "delivery.form": form
      }
    })
}
