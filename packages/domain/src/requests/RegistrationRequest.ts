import { Schema } from "effect"
import { userRegistrationStates } from "../enums/UserRegistrationState.ts"
import { documentedKey, field, optional } from "../fields/Field.ts"
import { pageReaders } from "./Pagination.ts"
import { query } from "./Query.ts"
import { idOf, listOf } from "../fields/Readers.ts"
import { rowId, userFields } from "./UserFields.ts"

/** The first channel of a user, as an object: HttpApi would not know what its fields say of themselves. */
const channelDocumented = {
  type: "object",
  required: ["name", "displayName"],
  properties: { name: userFields.channelName.documented, displayName: userFields.channelDisplayName.documented }
}

const fields = {
  username: field(userFields.username),
  password: field(userFields.password),
  email: field(userFields.email),
  displayName: optional(userFields.displayName),
  /** The first channel; without it, the user gets one named after them. */
  channel: Schema.optionalKey(
    Schema.Struct({
      name: field(userFields.channelName),
      displayName: field(userFields.channelDisplayName)
    }).annotate({ message: "Must be an object with name and displayName", [documentedKey]: channelDocumented })
  )
}

/** Body of `POST /users/register` (contract: RegisterUser). */
export const RegisterUser = Schema.Struct(fields)
export type RegisterUser = typeof RegisterUser.Type

/** Body of `POST /users/registrations/request` (contract: UserRegistrationRequest). */
export const UserRegistrationRequest = Schema.Struct({ ...fields, registrationReason: field(userFields.reason) })
export type UserRegistrationRequest = typeof UserRegistrationRequest.Type

/** Body of both decisions of a moderator (contract: UserRegistrationAcceptOrReject). */
export const UserRegistrationDecision = Schema.Struct({
  moderationResponse: field(userFields.reason),
  preventEmailDelivery: optional(userFields.flag)
})
export type UserRegistrationDecision = typeof UserRegistrationDecision.Type

/** Path of one registration. */
export const registrationParams = { registrationId: field(rowId("a registration")) }

const registrationSorts = ["createdAt", "state"] as const

/** Query of `GET /users/registrations`. */
export const registrationListQuery = query({
  ...pageReaders(registrationSorts),
  search: userFields.search,
  stateOneOf: listOf(
    idOf(userRegistrationStates, "Must be a state"),
    `Must be states out of ${userRegistrationStates.join(", ")}`
  )
})
export type RegistrationListQuery = typeof registrationListQuery.Type
