import type { MailingText } from "@kinora/domain/requests/MailingRequests"
import type { MailingRecipient } from "@kinora/storage/instance/mailing/MailingRows"
import { Context, Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import type { Mail } from "../../platform/mail/Mail.ts"
import { UnsubscribeLinks } from "../../social/notification/UnsubscribeLinks.ts"
import { filledMarkdown, filledText } from "./MailingTemplate.ts"

/** Makes the mails of mailings. */
export class Announcements extends Context.Service<
  Announcements,
  {
    /** `canUnsubscribe`: it has a link that ends mails of its kind, as all mails that are not about the account itself. */
    readonly mail: (text: MailingText, recipient: MailingRecipient, canUnsubscribe: boolean) => Mail
  }
>()("@kinora/node/instance/mailing/Announcements") {
  static readonly layer = Layer.effect(
    Announcements,
    Effect.gen(function* () {
      const { derived, instance } = yield* KinoraConfig
      const links = yield* UnsubscribeLinks
      return Announcements.of({
        mail: ({ body, subject }, { email, id, username }, canUnsubscribe) => {
          const values = { username, instanceName: instance.name, instanceUrl: derived.origin }
          return {
            _tag: "Announcement",
            to: email,
            subject: filledText(subject, values),
            text: filledText(body, values),
            markdown: filledMarkdown(body, values),
            unsubscribe: canUnsubscribe ? links.make({ userId: id, setting: "announcement" }) : null
          }
        }
      })
    })
  )
}
