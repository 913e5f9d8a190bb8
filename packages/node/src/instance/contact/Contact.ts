import { clientKey } from "@kinora/domain/network/ClientKey"
import { Forbidden } from "@kinora/domain/errors/AuthErrors"
import { Conflict } from "@kinora/domain/errors/ActorErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ContactForm } from "@kinora/domain/requests/InstanceRequests"
import { Clock, Context, Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { RateLimitStore } from "../../platform/http/RateLimitStore.ts"
import { Mailer } from "../../platform/mail/Mailer.ts"

const hour = 3_600_000

/** Mails one client may send (contract: Lifetimes, contactFormPerIP). */
const perClient = { max: 1, windowMillis: hour, exact: true }
/** Mails all clients together may send, so that many addresses cannot flood the administrator's mailbox. */
const altogether = { max: 60, windowMillis: hour, exact: true }

/** Lets visitors write to the administrator. */
export class Contact extends Context.Service<
  Contact,
  {
    /** Whether the contact form exists: it is enabled, and mail is configured. */
    readonly isOpen: () => boolean
    /** Mails the text to the administrator, with the sender in `Reply-To`. `ip` is the client's address. */
    readonly send: (
      form: ContactForm,
      ip: string | undefined
    ) => Effect.Effect<void, Conflict | Forbidden | DatabaseUnavailable>
  }
>()("@kinora/node/contact/Contact") {
  static readonly layer = Layer.effect(
    Contact,
    Effect.gen(function* () {
      const config = yield* KinoraConfig
      const mailer = yield* Mailer
      const limits = yield* RateLimitStore
      const isOpen = () => config.contact_form.enabled && mailer.enabled

      const send = Effect.fn("Contact.send")(function* (form: ContactForm, ip: string | undefined) {
        if (!isOpen()) return yield* new Conflict({ reason: "This instance has no contact form" })
        const now = yield* Clock.currentTimeMillis
        const ofClient = `contact ${clientKey(ip ?? "")}`
        const ofAll = "contact"
        // Counted before sending, and uncounted if sending fails: two requests at once count as two.
        const mine = yield* limits.hit(ofClient, perClient, now)
        if (mine.used > perClient.max) {
          yield* limits.refund(ofClient, perClient, now)
          return yield* new Forbidden({ reason: "You have written to the administrator within the last hour" })
        }
        const all = yield* limits.hit(ofAll, altogether, now)
        if (all.used > altogether.max) {
          yield* limits.refund(ofAll, altogether, now)
          yield* limits.refund(ofClient, perClient, now)
          return yield* new Forbidden({ reason: "Too many people write to the administrator: please try again later" })
        }
        yield* mailer
          .queue({
            _tag: "Contact",
            to: config.admin.email,
            fromName: form.fromName,
            fromEmail: form.fromEmail,
            subject: form.subject ?? "",
            body: form.body
          })
          .pipe(
            Effect.tapError(() =>
              Effect.andThen(limits.refund(ofAll, altogether, now), limits.refund(ofClient, perClient, now))
            )
          )
      })

      return Contact.of({ isOpen, send })
    })
  )
}
