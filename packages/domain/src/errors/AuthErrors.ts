import { Schema } from "effect"
import { Problem } from "./ProblemError.ts"

/** Authentication is needed and no access token was given. */
export class UnauthorizedRequest extends Problem<UnauthorizedRequest>()("UnauthorizedRequest", {
  status: 401,
  code: "unauthorized_request",
  detail: "An access token is needed",
  headers: () => ({ "www-authenticate": "Bearer" })
}) {}

/** The access token is expired, revoked, malformed or unknown. */
export class InvalidToken extends Problem<InvalidToken>()("InvalidToken", {
  status: 401,
  code: "invalid_token",
  detail: "This access token is invalid or has expired",
  headers: () => ({ "www-authenticate": `Bearer error="invalid_token"` })
}) {}

/** The request is malformed as OAuth sees it: no grant type, a bad Authorization header, a token sent twice. */
export class InvalidOAuthRequest extends Problem<InvalidOAuthRequest>()("InvalidOAuthRequest", {
  status: 400,
  code: "invalid_request",
  detail: ({ reason }) => reason,
  fields: { reason: Schema.String }
}) {}

/** Name, password, or refresh token are not accepted; does not reveal whether the account exists. */
export class InvalidGrant extends Problem<InvalidGrant>()("InvalidGrant", {
  status: 400,
  code: "invalid_grant",
  detail: ({ what }) =>
    what === "credentials"
      ? "Wrong user name or password"
      : what === "refresh_token"
        ? "This refresh token is invalid or has expired"
        : "Logging in through another service is not available here",
  fields: { what: Schema.Literals(["credentials", "refresh_token", "external"]) }
}) {}

/** Client id or secret are wrong. */
export class InvalidClient extends Problem<InvalidClient>()("InvalidClient", {
  status: 400,
  code: "invalid_client",
  detail: "Unknown client, or a wrong client secret"
}) {}

/** Only `password` and `refresh_token` are supported. */
export class UnsupportedGrantType extends Problem<UnsupportedGrantType>()("UnsupportedGrantType", {
  status: 400,
  code: "unsupported_grant_type",
  detail: "This grant_type is not supported: use password or refresh_token"
}) {}

/** This client may not use the grant type. */
export class UnauthorizedClient extends Problem<UnauthorizedClient>()("UnauthorizedClient", {
  status: 400,
  code: "unauthorized_client",
  detail: "This client may not use the grant type"
}) {}

/** Two factors are on and the header with the one-time code is missing. */
export class MissingTwoFactor extends Problem<MissingTwoFactor>()("MissingTwoFactor", {
  status: 401,
  code: "missing_two_factor",
  detail: "A one-time code is needed",
  headers: () => ({ "x-peertube-otp": "required; app", "x-service-otp": "required; app" })
}) {}

/** The one-time code is wrong. */
export class InvalidTwoFactor extends Problem<InvalidTwoFactor>()("InvalidTwoFactor", {
  status: 400,
  code: "invalid_two_factor",
  detail: "The one-time code is wrong"
}) {}

/** The password has more bytes than the hash takes. */
export class TooLongPassword extends Problem<TooLongPassword>()("TooLongPassword", {
  status: 400,
  code: "too_long_password",
  detail: "The password is too long"
}) {}

/** The account is blocked. */
export class AccountBlocked extends Problem<AccountBlocked>()("AccountBlocked", {
  status: 400,
  code: "account_blocked",
  detail: "The account is blocked"
}) {}

/** The email address must be verified first. */
export class EmailNotVerified extends Problem<EmailNotVerified>()("EmailNotVerified", {
  status: 400,
  code: "email_not_verified",
  detail: "The email address has not been verified yet"
}) {}

/** The registration waits for a moderator. */
export class AccountWaitingForApproval extends Problem<AccountWaitingForApproval>()("AccountWaitingForApproval", {
  status: 400,
  code: "account_waiting_for_approval",
  detail: "The registration waits for a moderator"
}) {}

/** The registration was rejected. */
export class AccountApprovalRejected extends Problem<AccountApprovalRejected>()("AccountApprovalRejected", {
  status: 400,
  code: "account_approval_rejected",
  detail: "The registration was rejected"
}) {}

/** The session check itself cannot be done at the moment. */
export class AuthServerError extends Problem<AuthServerError>()("AuthServerError", {
  status: 503,
  code: "server_error",
  detail: "The access token could not be checked",
  headers: () => ({ "retry-after": "5" })
}) {}

/** The user has no such session, or not any more. */
export class TokenSessionNotFound extends Problem<TokenSessionNotFound>()("TokenSessionNotFound", {
  status: 404,
  detail: "Session not found"
}) {}

/** The current password, asked for again before something delicate, is wrong: changing one's own account. */
export class CurrentPasswordInvalid extends Problem<CurrentPasswordInvalid>()("CurrentPasswordInvalid", {
  status: 401,
  code: "current_password_is_invalid",
  detail: "The current password is wrong"
}) {}

/** The same, where two factors are switched on or off: the contract has another status there. */
export class CurrentPasswordForbidden extends Problem<CurrentPasswordForbidden>()("CurrentPasswordForbidden", {
  status: 403,
  code: "current_password_is_invalid",
  detail: "The current password is wrong"
}) {}

/**
 * The instance wants the password confirmed before something dangerous (`security.confirm_dangerous_acts`), and this session
 * has not done so lately. Of our own.
 */
export class PasswordConfirmationRequired extends Problem<PasswordConfirmationRequired>()(
  "PasswordConfirmationRequired",
  {
    status: 403,
    code: "password_confirmation_required",
    detail: "Confirm your password first (POST /api/v1/users/me/confirm-password), or log in anew"
  }
) {}

/** The token endpoint cannot do its work at the moment; the request can be tried again. */
export class TokenServerError extends Problem<TokenServerError>()("TokenServerError", {
  status: 503,
  code: "server_error",
  detail: "Logging in is not possible at the moment, please try again",
  headers: () => ({ "retry-after": "5" })
}) {}

/** The user may not do this, and may know that it exists. */
export class Forbidden extends Problem<Forbidden>()("Forbidden", {
  status: 403,
  detail: ({ reason }) => reason,
  fields: { reason: Schema.String }
}) {}

/** What is asked for goes out by mail, and this instance sends none. */
export class MailNotConfigured extends Problem<MailNotConfigured>()("MailNotConfigured", {
  status: 409,
  detail: "This instance does not send mail: ask its administrators"
}) {}
