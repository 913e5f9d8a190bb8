import { Effect } from "effect"
import { KinoraConfig } from "../platform/config/Config.ts"
import type { Configuration } from "../platform/config/Configuration.ts"
import { isMailbox } from "../platform/mail/MailText.ts"
import { sendsMail } from "../platform/mail/SendsMail.ts"
import { Templates } from "../platform/mail/Templates.ts"
import { MailTransport } from "../platform/mail/Transport.ts"
import { failure, type Finding, good, warning } from "./DoctorReport.ts"

const subject = "mail"
const guide = "docs/mail.md has examples of `smtp.*`."

const loopback = /^(localhost|127\.|\[?::1\]?$)/

const where = ({ smtp }: Configuration): string =>
  smtp.transport === "sendmail" ? `${smtp.sendmail}` : `${smtp.hostname}:${smtp.port}`

/** Findings from the configuration alone. */
const settings = ({ smtp }: Configuration): ReadonlyArray<Finding> => {
  const findings: Array<Finding> = []
  if (smtp.from_address === "admin@example.com") {
    findings.push(
      warning(subject, "mails come from admin@example.com", "Set KINORA_SMTP_FROM_ADDRESS to an address of yours.")
    )
  }
  if (smtp.transport === "smtp" && !smtp.tls && smtp.disable_starttls && !loopback.test(smtp.hostname ?? "")) {
    findings.push(
      warning(
        subject,
        "mails, and the password if there is one, travel unencrypted",
        "Set KINORA_SMTP_TLS=true (port 465), or let STARTTLS be used (KINORA_SMTP_DISABLE_STARTTLS=false, port 587)."
      )
    )
  }
  return findings
}

/** Whether mail is configured and the mail server accepts our login. */
export const checkMail = Effect.gen(function* () {
  const config = yield* KinoraConfig
  if (!sendsMail(config)) {
    return [
      warning(
        subject,
        "is not configured",
        `Without it nobody verifies an address or sets a forgotten password. ${guide}`
      )
    ]
  }
  const transport = yield* MailTransport
  const verified = yield* Effect.result(transport.verify)
  return [
    verified._tag === "Success"
      ? good(subject, `${where(config)} is ready to take mail`)
      : failure(subject, `${where(config)}: ${verified.failure.message}`, guide),
    ...settings(config)
  ]
}).pipe(Effect.provide(MailTransport.layer))

/** Sends a test mail directly, without the queue, and reports the server's answer. */
export const sendTestMail = Effect.fnUntraced(
  function* (address: string): Effect.fn.Return<Finding, never, MailTransport | Templates | KinoraConfig> {
    const config = yield* KinoraConfig
    if (!isMailbox(address)) return failure("test mail", `${address} is not a mail address`, "Name one address.")
    if (!sendsMail(config)) return failure("test mail", "was not sent: mail is not configured", guide)
    const { write } = yield* Templates
    const transport = yield* MailTransport
    const sent = yield* Effect.result(
      transport.send({ ...write({ _tag: "Test", to: address }), id: crypto.randomUUID() })
    )
    return sent._tag === "Success"
      ? good("test mail", `was taken by ${where(config)} for ${address}: ${sent.success}`)
      : failure("test mail", `to ${address} was not taken: ${sent.failure.message}`, guide)
  },
  Effect.provide([Templates.layer, MailTransport.layer])
)
