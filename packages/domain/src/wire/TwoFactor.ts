import { Schema } from "effect"

/** What an authenticator is set up with: the secret in base 32, and the same as an address for a QR code. */
export const TwoFactorRequest = Schema.Struct({
  requestToken: Schema.String,
  secret: Schema.String,
  uri: Schema.String
})
export type TwoFactorRequest = typeof TwoFactorRequest.Type

/** Answer to a request for two factors. */
export const RequestTwoFactorResponse = Schema.Struct({ otpRequest: TwoFactorRequest }).annotate({
  identifier: "RequestTwoFactorResponse"
})
export type RequestTwoFactorResponse = typeof RequestTwoFactorResponse.Type

/** Codes that stand in for an authenticator, each once. They are shown when they are made, and never again. */
export const RecoveryCodes = Schema.Struct({ codes: Schema.Array(Schema.String) }).annotate({
  identifier: "RecoveryCodes"
})

/** How many recovery codes are left. */
export const RecoveryCodesLeft = Schema.Struct({ total: Schema.Number }).annotate({ identifier: "RecoveryCodesLeft" })
