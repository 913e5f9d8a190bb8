import { Context, Data, Effect, Exit, FileSystem, Layer, Predicate, Redacted } from "effect"
import type { SendMailOptions, SMTPTransportOptions, Transporter } from "nodemailer"
import { KinoraConfig } from "../config/Config.ts"
import { isMailbox, oneLine } from "./MailText.ts"
import { sendsMail } from "./SendsMail.ts"

/** A rendered mail. */
export interface Letter {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Unique for the mail and the same in each attempt, so that receivers recognise duplicates. */
  readonly id: string
  /** The address for replies, if it is not ours. */
  readonly replyTo?: string
  /** URL that unsubscribes from mails of this kind with one click and without login (RFC 2369, RFC 8058). */
  readonly unsubscribe?: string
}

/** The mail was not sent, or it is unknown whether it was. `permanent`: retrying cannot help. */
export class MailNotSent extends Data.TaggedError("MailNotSent")<{
  readonly message: string
  readonly permanent: boolean
}> {}

const connectMillis = 10_000
const silenceMillis = 30_000
/** For a whole mail, whatever the server does. */
const sendTimeout = "60 seconds"

/**
 * Exit codes of sendmail (sysexits.h) after which the same mail would fail again: data error, no such user, no such
 * host.
 */
const finalExit = /code (?:65|67|68)$/

/** OpenSSL's message for a server that starts in plain text. */
const plainAnswer = /wrong version number/
const plainServer = "it begins without TLS on this port: smtp.tls=false is for such servers, with STARTTLS or without"

/**
 * Classifies an error by nodemailer's error codes. A refused login is a matter of configuration: mails wait until it is
 * fixed.
 */
const notSent = (cause: unknown, to?: string): MailNotSent => {
  const text = Predicate.isError(cause) ? oneLine(cause.message, 500) : "unknown problem"
  const problem = plainAnswer.test(text) ? plainServer : text
  const has = (name: string): unknown => (Predicate.hasProperty(cause, name) ? cause[name] : undefined)
  const refused = (has("code") === "EENVELOPE" || has("code") === "EMESSAGE") && has("permanent") === true
  const exited = has("code") === "ESENDMAIL" && finalExit.test(problem)
  return new MailNotSent({
    // The stored error does not contain the recipient's address.
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

/** The configured sender may also be `name <address>`. */
const senderAddress = (configured: string): string => /<([^<>]+)>\s*$/.exec(configured)?.[1] ?? configured.trim()

/** Sends mails through a mail server or a sendmail program, as configured by `smtp.*`. */
export class MailTransport extends Context.Service<
  MailTransport,
  {
    /** Sends to the one recipient and returns the server's answer. */
    readonly send: (letter: Letter) => Effect.Effect<string, MailNotSent>
    /** Connects and logs in without sending anything. For a sendmail program it only checks that it exists. */
    readonly verify: Effect.Effect<void, MailNotSent>
  }
>()("@kinora/node/mail/MailTransport") {
  static readonly layer = Layer.effect(
    MailTransport,
    Effect.gen(function* () {
      const config = yield* KinoraConfig
      const fs = yield* FileSystem.FileSystem
      const { smtp } = config
      const sender = () => ({ name: oneLine(config.instance.name), address: senderAddress(smtp.from_address) })

      const connect = Effect.gen(function* () {
        if (!sendsMail(config)) return yield* new MailNotSent({ message: "mail is not configured", permanent: false })
        const ca = smtp.ca_file === null ? undefined : yield* fs.readFileString(smtp.ca_file)
        // Loaded with the first mail, so that the start does not wait for it.
        const { createTransport } = yield* Effect.tryPromise(() => import("nodemailer"))
        const transporter: Transporter =
          smtp.transport === "sendmail"
            ? createTransport({ sendmail: true, path: smtp.sendmail ?? "sendmail", newline: "unix" })
            : createTransport(smtpOptions(smtp, ca))
        return transporter
      }).pipe(Effect.mapError((error) => (error._tag === "MailNotSent" ? error : notSent(error))))
      // A certificate that cannot be read now may be readable later: only success is cached.
      const transporter = yield* Effect.cachedWithTTL(connect, (exit) => (Exit.isSuccess(exit) ? "1 hour" : 0))

      const send = Effect.fn("MailTransport.send")(function* (letter: Letter) {
        if (!isMailbox(letter.to)) {
          return yield* new MailNotSent({
            message: "the recipient's address is not one mail can go to",
            permanent: true
          })
        }
        const mail: SendMailOptions = {
          from: sender(),
          to: { name: "", address: letter.to },
          ...(letter.replyTo === undefined || !isMailbox(letter.replyTo)
            ? {}
            : { replyTo: { name: "", address: letter.replyTo } }),
          subject: oneLine(letter.subject),
          text: letter.text,
          html: letter.html,
          messageId: `<${letter.id}@${new URL(config.derived.origin).hostname}>`,
          // RFC 3834: prevents automatic replies.
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
            duration: sendTimeout,
            orElse: () => Effect.fail(new MailNotSent({ message: `not done within ${sendTimeout}`, permanent: false }))
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
            duration: sendTimeout,
            orElse: () => Effect.fail(new MailNotSent({ message: `no answer within ${sendTimeout}`, permanent: false }))
          })
        )
      }).pipe(Effect.withSpan("MailTransport.verify"))

      return MailTransport.of({ send, verify })
    })
  )
}
