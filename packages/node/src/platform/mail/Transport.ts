import { Context, Data, Effect, Exit, FileSystem, Layer, Predicate, Redacted } from "effect"
import type { SendMailOptions, SMTPTransportOptions, Transporter } from "nodemailer"
import { KinoraConfig } from "../config/Config.ts"
import { isMailbox, oneLine } from "./MailText.ts"
import { sendsMail } from "./SendsMail.ts"

/** A mail in words. */
export interface Letter {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Unique for the mail, the same in each attempt: receivers recognise what comes twice by it. */
  readonly id: string
  /** Whom an answer goes to, when it is not us. */
  readonly replyTo?: string
  /** Address that ends mails of this kind with one click, also without a login (RFC 2369, RFC 8058). */
  readonly unsubscribe?: string
}

/** The mail did not go out, or nobody knows whether it did. `permanent`: trying again cannot help. */
export class MailNotSent extends Data.TaggedError("MailNotSent")<{
  readonly message: string
  readonly permanent: boolean
}> {}

const connectMillis = 10_000
const silenceMillis = 30_000
/** A whole mail, whatever the other side does. */
const patience = "60 seconds"

/** Exit codes of sendmail (sysexits.h) after which the same mail fails again: data error, no such user, no such host. */
const finalExit = /code (?:65|67|68)$/

/** OpenSSL's words for a server that begins in plain text. */
const plainAnswer = /wrong version number/
const plainServer = "it begins without TLS on this port: smtp.tls=false is for such servers, with STARTTLS or without"

/** What went wrong, by nodemailer's error codes. A refused login is the operator's to mend: mails wait for it. */
const notSent = (cause: unknown, to?: string): MailNotSent => {
  const told = Predicate.isError(cause) ? oneLine(cause.message, 500) : "unknown problem"
  const problem = plainAnswer.test(told) ? plainServer : told
  const has = (name: string): unknown => (Predicate.hasProperty(cause, name) ? cause[name] : undefined)
  const refused = (has("code") === "EENVELOPE" || has("code") === "EMESSAGE") && has("permanent") === true
  const exited = has("code") === "ESENDMAIL" && finalExit.test(problem)
  return new MailNotSent({
    // What is kept of a failure does not say whose mail it was.
    message: to === undefined ? problem : problem.replaceAll(to, "(the recipient)"),
    permanent: refused || exited
  })
}

const smtpOptions = (smtp: KinoraConfig["Service"]["smtp"], ca: string | undefined): SMTPTransportOptions => ({
  host: smtp.hostname ?? "localhost",
  port: smtp.port,
  secure: smtp.tls,
  ignoreTLS: smtp.disable_starttls,
  connectionTimeout: connectMillis,
  greetingTimeout: connectMillis,
  dnsTimeout: connectMillis,
  socketTimeout: silenceMillis,
  ...(ca === undefined ? {} : { tls: { ca } }),
  ...(smtp.username === null
    ? {}
    : { auth: { user: smtp.username, pass: smtp.password === null ? "" : Redacted.value(smtp.password) } })
})

/** `name <address>` is accepted as the sender, too. */
const senderAddress = (configured: string): string => /<([^<>]+)>\s*$/.exec(configured)?.[1] ?? configured.trim()

/** How mail leaves the machine: a mail server or a sendmail program, as `smtp.*` says. */
export class MailTransport extends Context.Service<
  MailTransport,
  {
    /** Sends to the one recipient and answers what the server said of it. */
    readonly send: (letter: Letter) => Effect.Effect<string, MailNotSent>
    /** Connects and logs in without sending anything. Of a sendmail program nothing can be known but that it is there. */
    readonly verify: Effect.Effect<void, MailNotSent>
  }
>()("@kinora/node/mail/MailTransport") {
  static readonly layer = Layer.effect(
    MailTransport,
    Effect.gen(function* () {
      const config = yield* KinoraConfig
      const fs = yield* FileSystem.FileSystem
      const { smtp } = config
      const sender = { name: oneLine(config.instance.name), address: senderAddress(smtp.from_address) }

      const connect = Effect.gen(function* () {
        if (!sendsMail(config)) return yield* new MailNotSent({ message: "mail is not configured", permanent: false })
        const ca = smtp.ca_file === null ? undefined : yield* fs.readFileString(smtp.ca_file)
        // Loaded when the first mail goes out, so that the start does not wait for it.
        const { createTransport } = yield* Effect.tryPromise(() => import("nodemailer"))
        const transporter: Transporter =
          smtp.transport === "sendmail"
            ? createTransport({ sendmail: true, path: smtp.sendmail ?? "sendmail", newline: "unix" })
            : createTransport(smtpOptions(smtp, ca))
        return transporter
      }).pipe(Effect.mapError((error) => (error._tag === "MailNotSent" ? error : notSent(error))))
      // A certificate that cannot be read now may be there later: only success is kept.
      const transporter = yield* Effect.cachedWithTTL(connect, (exit) => (Exit.isSuccess(exit) ? "1 hour" : 0))

      const send = Effect.fn("MailTransport.send")(function* (letter: Letter) {
        if (!isMailbox(letter.to)) {
          return yield* new MailNotSent({
            message: "the recipient's address is not one mail can go to",
            permanent: true
          })
        }
        const mail: SendMailOptions = {
          from: sender,
          to: { name: "", address: letter.to },
          ...(letter.replyTo === undefined || !isMailbox(letter.replyTo)
            ? {}
            : { replyTo: { name: "", address: letter.replyTo } }),
          subject: oneLine(letter.subject),
          text: letter.text,
          html: letter.html,
          messageId: `<${letter.id}@${new URL(config.derived.origin).hostname}>`,
          // RFC 3834: no holiday notices in return.
          headers: {
            "Auto-Submitted": "auto-generated",
            ...(letter.unsubscribe === undefined
              ? {}
              : {
                  "List-Unsubscribe": `<${letter.unsubscribe}>`,
                  "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"
                })
          },
          disableFileAccess: true,
          disableUrlAccess: true
        }
        const mailer = yield* transporter
        const sent = yield* Effect.tryPromise({
          try: (signal) => mailer.sendMail({ ...mail, signal }),
          catch: (cause) => notSent(cause, letter.to)
        }).pipe(
          Effect.timeoutOrElse({
            duration: patience,
            orElse: () => Effect.fail(new MailNotSent({ message: `not done within ${patience}`, permanent: false }))
          })
        )
        return oneLine(String(sent.response ?? ""), 500)
      })

      const verify = Effect.gen(function* () {
        const mailer = yield* transporter
        if (smtp.transport === "sendmail") {
          yield* Effect.mapError(fs.access(smtp.sendmail ?? "sendmail", { readable: true }), (cause) => notSent(cause))
          return
        }
        yield* Effect.tryPromise({ try: () => mailer.verify(), catch: (cause) => notSent(cause) }).pipe(
          Effect.timeoutOrElse({
            duration: patience,
            orElse: () => Effect.fail(new MailNotSent({ message: `no answer within ${patience}`, permanent: false }))
          })
        )
      }).pipe(Effect.withSpan("MailTransport.verify"))

      return MailTransport.of({ send, verify })
    })
  )
}
