import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import {
  askMailPayload,
  registrationIdParam,
  resetPasswordPayload,
  userIdParam,
  verifyRegistrationPayload,
  verifyUserPayload
} from "../requests/OneTimeRequests.ts"
import { Docs, problems } from "./Documentation.ts"

/** 204 whether or not anybody has the address; 409 when this instance sends no mail. */
const asked = problems(400, 409, 429)
const redeemed = problems(400, 403, 404, 429)

/** Links in mails: asking for one, and using it. */
export class VerificationApi extends HttpApiGroup.make("verification", { topLevel: true })
  .add(
    HttpApiEndpoint.post("resendEmailToVerifyUser", "/api/v1/users/ask-send-verify-email", {
      payload: askMailPayload
    }).annotate(Docs, { summary: "Ask for the mail that verifies an address again", tag: "Users", problems: asked }),
    HttpApiEndpoint.post("verifyUser", "/api/v1/users/:id/verify-email", {
      params: userIdParam,
      payload: verifyUserPayload
    }).annotate(Docs, {
      summary: "Verify the address of a new account, or a changed one",
      tag: "Users",
      problems: problems(400, 403, 404, 409, 429)
    }),
    HttpApiEndpoint.post("resendEmailToVerifyRegistration", "/api/v1/users/registrations/ask-send-verify-email", {
      payload: askMailPayload
    }).annotate(Docs, { summary: "Ask for the mail that verifies a registration's address again", problems: asked }),
    HttpApiEndpoint.post("verifyRegistrationEmail", "/api/v1/users/registrations/:registrationId/verify-email", {
      params: registrationIdParam,
      payload: verifyRegistrationPayload
    }).annotate(Docs, { summary: "Verify the address of a registration", problems: redeemed }),
    HttpApiEndpoint.post("postUsersAskResetPassword", "/api/v1/users/ask-reset-password", {
      payload: askMailPayload
    }).annotate(Docs, { summary: "Ask for a link that sets a new password", tag: "Users", problems: asked }),
    HttpApiEndpoint.post("postUsersResetPassword", "/api/v1/users/:id/reset-password", {
      params: userIdParam,
      payload: resetPasswordPayload
    }).annotate(Docs, { summary: "Set a new password with a link", tag: "Users", problems: redeemed })
  )
  .annotate(OpenApi.Title, "Register") {}
