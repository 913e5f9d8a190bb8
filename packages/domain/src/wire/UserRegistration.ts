import { Schema } from "effect"
import { NullableString, NumberConstant, Page, Timestamp } from "./Scalars.ts"

/** Somebody's wish to have an account (contract: UserRegistration). */
export const UserRegistration = Schema.Struct({
  id: Schema.Int,
  state: NumberConstant,
  registrationReason: Schema.String,
  moderationResponse: NullableString,
  username: Schema.String,
  email: Schema.String,
  /** Null when the instance does not verify addresses. */
  emailVerified: Schema.NullOr(Schema.Boolean),
  accountDisplayName: Schema.String,
  channelHandle: Schema.String,
  channelDisplayName: Schema.String,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  /** The user it became, for as long as there is one. */
  user: Schema.optionalKey(Schema.NullOr(Schema.Struct({ id: Schema.Int })))
}).annotate({ identifier: "UserRegistration" })
export type UserRegistration = typeof UserRegistration.Type

/** Answer of `GET /users/registrations`. */
export const UserRegistrationList = Page(UserRegistration).annotate({ identifier: "UserRegistrationList" })

/** Answer of `POST /users/register`: where the account stands. */
export const RegisteredUser = Schema.Struct({ state: NumberConstant }).annotate({ identifier: "RegisteredUser" })
