import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { oneTimeCodeHeaders } from "../requests/Headers.ts"
import { sessionListQuery, sessionParams, sessionsParams } from "../requests/SessionRequests.ts"
import { confirmPasswordPayload } from "../requests/OneTimeRequests.ts"
import { tokenRequestPayload } from "../requests/TokenRequest.ts"
import { OAuthClient, OAuthToken, RevokedToken, TokenSessionList } from "../wire/Session.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

/** Logging in and out (specification "Authentication"). */
export class SessionApi extends HttpApiGroup.make("session", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getOAuthClient", "/api/v1/oauth-clients/local", { success: OAuthClient }).annotate(Docs, {
      summary: "Get the client to log in with",
      problems: problems(403)
    }),
    HttpApiEndpoint.post("getOAuthToken", "/api/v1/users/token", {
      headers: oneTimeCodeHeaders,
      payload: tokenRequestPayload,
      success: OAuthToken
    }).annotate(Docs, {
      summary: "Log in, or renew a session",
      problems: problems(
        [
          400,
          "invalid_grant",
          "invalid_client",
          "invalid_request",
          "unsupported_grant_type",
          "unauthorized_client",
          "invalid_two_factor",
          "account_blocked",
          "email_not_verified",
          "account_waiting_for_approval",
          "account_approval_rejected",
          "too_long_password"
        ],
        [401, "missing_two_factor"],
        [503, "server_error"]
      )
    }),
    HttpApiEndpoint.post("revokeOAuthToken", "/api/v1/users/revoke-token", { success: RevokedToken })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Log out" }),
    HttpApiEndpoint.post("confirmMyPassword", "/api/v1/users/me/confirm-password", {
      payload: confirmPasswordPayload,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Confirm the password, so that the session may do dangerous things for ten minutes",
        problems: problems(400, [403, "current_password_is_invalid"], 429)
      }),
    HttpApiEndpoint.get("getUsersTokenSessions", "/api/v1/users/:id/token-sessions", {
      params: sessionsParams,
      query: sessionListQuery,
      success: TokenSessionList
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "List the sessions of a user", problems: problems(400, 403, 404) }),
    HttpApiEndpoint.post("postUsersTokenSessionsRevoke", "/api/v1/users/:id/token-sessions/:tokenSessionId/revoke", {
      params: sessionParams,
      success: RevokedToken
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "End a session of a user",
        rightOverOthers: "administrators",
        problems: problems(400, 403, 404)
      })
  )
  .annotate(OpenApi.Title, "Session") {}
