import { NotificationWay } from "@kinora/domain/enums/NotificationSetting"
import { NotificationType, settingOfType } from "@kinora/domain/enums/NotificationType"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { sayIn } from "@kinora/domain/i18n/Say"
import { messages } from "@kinora/domain/messages/en/notices"
import { notificationText } from "@kinora/domain/text/NotificationText"
import { type MailedNotification, NotificationMails } from "@kinora/storage/social/notification/NotificationMails"
import { Cause, Context, Effect, Exit, Layer, Option, Schedule } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { Templates } from "../../platform/mail/Templates.ts"
import { MailNotSent, MailTransport } from "../../platform/mail/Transport.ts"
import { toPlainText } from "../../platform/markdown/Markdown.ts"
import { defaultNotifications } from "../../people/user/UserPreferences.ts"
import { UnsubscribeLinks } from "./UnsubscribeLinks.ts"

const longestQuote = 2000
/** How often the end of a mail is reported while the database is away: a mail that went out must not go out again. */
const reports = 60

const report = (end: Effect.Effect<void, DatabaseUnavailable>) =>
  Effect.retry(end, { schedule: Schedule.spaced("1 second"), times: reports })

const registrations: ReadonlySet<number> = new Set([NotificationType.newUserRegistrationRequest])

/** What a mail quotes. */
const quoteTitle = (type: NotificationType): string => {
  switch (type) {
    case NotificationType.newAbuseForModerators:
      return "The reason"
    case NotificationType.abuseNewMessage:
      return "The message"
    default:
      return "The comment"
  }
}

const make = Effect.gen(function* () {
  const { derived, instance } = yield* KinoraConfig
  const mails = yield* NotificationMails
  const say = sayIn<typeof messages>("en", messages)
  const templates = yield* Templates
  const transport = yield* MailTransport
  const links = yield* UnsubscribeLinks
  const ownHost = new URL(derived.origin).host
  const settings = `${derived.origin}/my-account/notifications`
  let troubled = false

  /** Whether the user wants it by now: the setting may be another since it happened. */
  const isWanted = ({ chosen, type, wanted }: MailedNotification): boolean => {
    const key = settingOfType[type]
    // Of requests for accounts moderators get a mail of another kind.
    if (!wanted || registrations.has(type)) return false
    return key === null || ((chosen[key] ?? defaultNotifications[key] ?? 0) & NotificationWay.mail) !== 0
  }

  const messageOf = (mail: MailedNotification) => {
    const { path, title } = notificationText(mail.notification, ownHost, say)
    const key = settingOfType[mail.type]
    const unsubscribe = key === null ? undefined : links.make({ userId: mail.userId, setting: key })
    return {
      ...templates.lay(mail.email, {
        subject: title,
        paragraphs: [`Hello ${mail.username},`, `${title}.`],
        action: { label: `See it on ${instance.name}`, link: derived.origin + path },
        ...(mail.quotedText === null
          ? {}
          : { quote: { title: quoteTitle(mail.type), text: toPlainText(mail.quotedText).slice(0, longestQuote) } }),
        links: [
          { label: "Choose your notifications", link: settings },
          ...(unsubscribe === undefined ? [] : [{ label: "No more mails of this kind", link: unsubscribe }])
        ]
      }),
      id: `notification-${mail.id}`,
      ...(unsubscribe === undefined ? {} : { unsubscribe })
    }
  }

  const settle = Effect.fnUntraced(function* (mail: MailedNotification, exit: Exit.Exit<unknown, unknown>) {
    if (Exit.isSuccess(exit)) {
      if (troubled) yield* Effect.logInfo("Notification mail is being sent again")
      troubled = false
      return yield* report(mails.done(mail.id))
    }
    const final = exit.cause.reasons.some(
      (reason) => Cause.isFailReason(reason) && reason.error instanceof MailNotSent && reason.error.permanent
    )
    yield* troubled
      ? Effect.logDebug(`The mail for notification ${mail.id} was not sent`, exit.cause)
      : Effect.logWarning("Notification mail cannot be sent. Retrying with growing delays.", exit.cause)
    troubled = troubled || !final
    yield* report(final ? mails.done(mail.id) : mails.failed(mail.id))
  })

  /** Interrupted before the server has said yes, the mail goes back; after that, it is noted as sent. */
  const send = (mail: MailedNotification) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(Effect.exit(restore(Effect.suspend(() => transport.send(messageOf(mail))))), (exit) =>
        Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)
          ? Effect.andThen(
              Effect.ignore(mails.release(mail.id), {
                log: "Warn",
                message: "A mail could not be given back; it is when its lease ends"
              }),
              Effect.interrupt
            )
          : settle(mail, exit)
      )
    )

  const sendAll = Effect.gen(function* () {
    for (;;) {
      const mail = yield* mails.claim
      if (Option.isNone(mail)) return
      yield* isWanted(mail.value) ? send(mail.value) : mails.done(mail.value.id)
    }
  })

  return NotificationMailer.of({ sendAll })
})

/**
 * Mails notifications, one after another beside all other mail. A mail is sent at least once: when the node dies between
 * the server's yes and the database's, it goes out again with the same Message-ID.
 */
export class NotificationMailer extends Context.Service<
  NotificationMailer,
  {
    /** Sends what is due. */
    readonly sendAll: Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/node/notifications/NotificationMailer") {
  static readonly layer = Layer.effect(NotificationMailer, make).pipe(
    Layer.provide(Layer.mergeAll(NotificationMails.layer, Templates.layer, MailTransport.layer, UnsubscribeLinks.layer))
  )
}
