import { Schema } from "effect"
import { userRoles } from "../enums/UserRole.ts"
import { field, optional } from "../fields/Field.ts"
import { idOf, text } from "../fields/Readers.ts"
import { pageReaders } from "./Pagination.ts"
import { query } from "./Query.ts"
import { userIds } from "./UserBulkRequests.ts"
import { rowId } from "./UserFields.ts"

const placeholders = "`{{username}}`, `{{instanceName}}` and `{{instanceUrl}}` stand for what they name"

const words = {
  subject: field(
    text({
      min: 1,
      max: 200,
      message: "Must be a subject of 1 to 200 characters",
      documented: { description: `One line; ${placeholders}` }
    })
  ),
  body: field(
    text({
      min: 1,
      max: 20_000,
      message: "Must be a text of 1 to 20000 characters",
      documented: { description: `Markdown; ${placeholders}` }
    })
  )
}

/** Body of `POST /users/mailings/preview`. */
export const MailingText = Schema.Struct(words)
export type MailingText = typeof MailingText.Type

/**
 * Body of `POST /users/mailings`. To the users named by `userIds`, or else to everybody of a role, or else to everybody who
 * has not unsubscribed.
 */
export const NewMailing = Schema.Struct({
  ...words,
  userIds: optional(userIds),
  role: optional(idOf(userRoles, `Must be one of the roles ${userRoles.join(", ")}`))
})
export type NewMailing = typeof NewMailing.Type

/** Path of one mailing. */
export const mailingParams = { mailingId: field(rowId("a mailing")) }

/** Query of `GET /users/mailings`. */
export const mailingListQuery = query(pageReaders(["createdAt"]))
