import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { confirmTwoFactorPayload, currentPasswordPayload, userIdParam } from "../requests/OneTimeRequests.ts"
import { ScopedToken } from "../wire/Session.ts"
import { RecoveryCodes, RecoveryCodesLeft, RequestTwoFactorResponse } from "../wire/TwoFactor.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const switched = problems(400, [403, "current_password_is_invalid", "password_confirmation_required"], 404, 409, 429)

/** Second factors of users, and tokens of their private feeds. */
export class TwoFactorApi extends HttpApiGroup.make("twoFactor", { topLevel: true })
  .add(
    HttpApiEndpoint.post("requestTwoFactor", "/api/v1/users/:id/two-factor/request", {
      params: userIdParam,
      payload: currentPasswordPayload,
      success: Schema.Array(RequestTwoFactorResponse)
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Request two-factor authentication",
        rightOverOthers: "administrators",
        problems: switched
      }),
    HttpApiEndpoint.post("confirmTwoFactorRequest", "/api/v1/users/:id/two-factor/confirm-request", {
      params: userIdParam,
      payload: confirmTwoFactorPayload
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Confirm two-factor authentication with a first code",
        rightOverOthers: "administrators",
        problems: problems(400, 403, 404, 409, 429)
      }),
    HttpApiEndpoint.post("disableTwoFactor", "/api/v1/users/:id/two-factor/disable", {
      params: userIdParam,
      payload: currentPasswordPayload
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Disable two-factor authentication",
        rightOverOthers: "administrators",
        problems: switched
      }),
    HttpApiEndpoint.get("getMyRecoveryCodes", "/api/v1/users/me/two-factor/recovery-codes", {
      success: RecoveryCodesLeft
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Get how many recovery codes of the second factor are left" }),
    HttpApiEndpoint.post("renewMyRecoveryCodes", "/api/v1/users/me/two-factor/recovery-codes", {
      payload: currentPasswordPayload,
      success: RecoveryCodes
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Make ten recovery codes, each of which stands in for a one-time code once; earlier ones end",
        problems: problems(400, [403, "current_password_is_invalid"], 409, 429)
      }),
    HttpApiEndpoint.get("getScopedTokens", "/api/v1/users/scoped-tokens", { success: ScopedToken })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Get the token of the user's private feeds", tag: "Session" }),
    HttpApiEndpoint.post("renewScopedTokens", "/api/v1/users/scoped-tokens", { success: ScopedToken })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Renew the token of private feeds; addresses with the old one stop working",
        tag: "Session"
      })
  )
  .annotate(OpenApi.Title, "Users") {}
