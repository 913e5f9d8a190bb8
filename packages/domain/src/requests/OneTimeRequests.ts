import { Schema } from "effect"
import { field, optional } from "../fields/Field.ts"
import { jsonOrForm } from "./Payload.ts"
import { text } from "../fields/Readers.ts"
import { rowId, userFields } from "./UserFields.ts"

/** A user by the row id in the path. */
export const userIdParam = { id: field(rowId("a user")) }

export const registrationIdParam = { registrationId: field(rowId("a registration")) }

/** An address to send a link to. */
export const askMailPayload = jsonOrForm(Schema.Struct({ email: field(userFields.email) }))

/** The token of a link. `isPendingEmail` is read and never believed: the token knows what it was made for. */
export const verifyUserPayload = jsonOrForm(
  Schema.Struct({ verificationString: field(userFields.token), isPendingEmail: optional(userFields.flag) })
)

export const verifyRegistrationPayload = jsonOrForm(Schema.Struct({ verificationString: field(userFields.token) }))

export const resetPasswordPayload = jsonOrForm(
  Schema.Struct({ verificationString: field(userFields.token), password: field(userFields.password) })
)

/** Needed by users who act on themselves; an administrator who acts on others is not asked for it. */
export const currentPasswordPayload = jsonOrForm(Schema.Struct({ currentPassword: optional(userFields.givenPassword) }))

export const confirmPasswordPayload = jsonOrForm(Schema.Struct({ currentPassword: field(userFields.givenPassword) }))

export const confirmTwoFactorPayload = jsonOrForm(
  Schema.Struct({
    requestToken: field(userFields.token),
    otpToken: field(text({ min: 1, max: 100, message: "Must be a one-time code" }))
  })
)
