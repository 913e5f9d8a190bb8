import { MailingLists } from "@kinora/storage/instance/mailing/MailingLists"
import { MailingRows } from "@kinora/storage/instance/mailing/MailingRows"
import { Layer } from "effect"
import { Announcements } from "./Announcements.ts"
import { Mailings } from "./Mailings.ts"
import { MailingPortions } from "./MailingTask.ts"

/** Mails of administrators to users: needs `SqlClient`, `KinoraConfig`, `Mailer`, `UnsubscribeLinks` and `AuditTrail`. */
export const MailingServices = Layer.mergeAll(Mailings.layer, MailingPortions.layer, MailingLists.layer).pipe(
  Layer.provide(Layer.mergeAll(MailingRows.layer, Announcements.layer))
)
