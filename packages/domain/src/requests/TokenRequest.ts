import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { constraints } from "../enums/Constraints.ts"
import { optional } from "../fields/Field.ts"
import { text } from "../fields/Readers.ts"

const { length } = constraints.oauthClient
const { password, username } = constraints.user

/** Longest text looked at; what is longer cannot be right and is refused before any hashing. */
const max = 1000

const credential = (name: string, documented = {}) =>
  optional(text({ min: 0, max, message: `Must be a valid ${name}`, documented: { maxLength: max, ...documented } }))

/**
 * Fields of `POST /users/token` (contract: getOAuthToken). All may be missing as far as the schema goes: which are
 * needed depends on `grant_type`, and the refusal is an OAuth error, not one of fields.
 */
export const TokenRequest = Schema.Struct({
  client_id: credential("client_id", { minLength: length, maxLength: length }),
  client_secret: credential("client_secret", { minLength: length, maxLength: length }),
  grant_type: credential("grant_type", { enum: ["password", "refresh_token"] }),
  response_type: credential("response_type"),
  username: credential("username", { minLength: username.min, maxLength: username.max }),
  password: credential("password", { format: "password", minLength: password.min, maxLength: password.max }),
  refresh_token: credential("refresh_token"),
  externalAuthToken: credential("externalAuthToken")
})
export type TokenRequest = typeof TokenRequest.Type

/** The same as payload: a form as documented, or JSON. */
export const tokenRequestPayload = [
  TokenRequest.pipe(HttpApiSchema.asFormUrlEncoded()),
  TokenRequest.pipe(HttpApiSchema.asJson())
] as const
