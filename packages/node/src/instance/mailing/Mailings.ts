import { Conflict, MailingNotFound } from "@kinora/domain/errors/ActorErrors"
import { MailNotConfigured } from "@kinora/domain/errors/AuthErrors"
import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { MailingText, NewMailing } from "@kinora/domain/requests/MailingRequests"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { isOperator } from "@kinora/domain/users/Operator"
import type { MailingPreview } from "@kinora/domain/wire/Mailing"
import { withDatabaseErrors } from "@kinora/storage/platform/database/DatabaseErrors"
import { MailingRows } from "@kinora/storage/instance/mailing/MailingRows"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { AuditTrail } from "../../platform/audit/AuditTrail.ts"
import { Mailer } from "../../platform/mail/Mailer.ts"
import { Templates } from "../../platform/mail/Templates.ts"
import { Announcements } from "./Announcements.ts"
import { unknownPlaceholder } from "./MailingTemplate.ts"

const checked = Effect.fnUntraced(function* (text: MailingText) {
  for (const name of ["subject", "body"] as const) {
    const unknown = unknownPlaceholder(text[name])
    if (unknown !== undefined) {
      return yield* InvalidParameters.one(
        name,
        `Has the unknown placeholder {{${unknown}}}: there are {{username}}, {{instanceName}} and {{instanceUrl}}`,
        "body"
      )
    }
  }
})

/** Mails that administrators write to users, to some or to all. `MailingTask` hands them over to the mail queue. */
export class Mailings extends Context.Service<
  Mailings,
  {
    /** Gives the id of the mailing. Refused where no mail can be sent. */
    readonly begin: (
      user: CurrentUserShape,
      mailing: NewMailing
    ) => Effect.Effect<number, InvalidParameters | MailNotConfigured | DatabaseUnavailable>
    /** What the user would get. */
    readonly preview: (user: CurrentUserShape, text: MailingText) => Effect.Effect<MailingPreview, InvalidParameters>
    /** Leaves out everybody whose mail was not handed over to the queue yet. */
    readonly cancel: (
      user: CurrentUserShape,
      id: number
    ) => Effect.Effect<void, MailingNotFound | Conflict | DatabaseUnavailable>
  }
>()("@kinora/node/instance/mailing/Mailings") {
  static readonly layer = Layer.effect(
    Mailings,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rows = yield* MailingRows
      const mailer = yield* Mailer
      const templates = yield* Templates
      const announcements = yield* Announcements
      const audit = yield* AuditTrail

      const begin = Effect.fn("Mailings.begin")(function* (user: CurrentUserShape, mailing: NewMailing) {
        yield* checked(mailing)
        if (!mailer.enabled) return yield* new MailNotConfigured()
        const { body, role = null, subject, userIds = null } = mailing
        const author = isOperator(user) ? null : user.username
        return yield* audit.act(
          user,
          (mailingId) => ({
            domain: "mailing",
            action: "create",
            target: { mailingId },
            after: { subject, body, userIds, role }
          }),
          rows.add({ subject, body, author, userIds, role })
        )
      })

      const preview = Effect.fn("Mailings.preview")(function* (user: CurrentUserShape, text: MailingText) {
        yield* checked(text)
        const recipient = { id: user.id, username: isOperator(user) ? "username" : user.username, email: "" }
        const { html, subject, text: plain } = templates.write(announcements.mail(text, recipient, false))
        return { subject, text: plain, html }
      })

      const cancel = Effect.fn("Mailings.cancel")(
        function* (user: CurrentUserShape, id: number) {
          switch (yield* rows.cancel(id)) {
            case "missing":
              return yield* new MailingNotFound()
            case "ended":
              return yield* new Conflict({ reason: "This mailing was sent, or cancelled, already" })
            case "cancelled":
              yield* audit.record(user, { domain: "mailing", action: "cancel", target: { mailingId: id } })
          }
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      return Mailings.of({ begin, preview, cancel })
    })
  ).pipe(Layer.provide(Templates.layer))
}
