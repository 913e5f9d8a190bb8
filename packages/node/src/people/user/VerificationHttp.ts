import { Effect } from "effect"
import { type Answers, answer } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { RequestedMails } from "../verification/RequestedMails.ts"
import { EmailVerification } from "../verification/EmailVerification.ts"
import { PasswordReset } from "./PasswordReset.ts"

/** Requests for links by mail, and their use. */
export const layer = apiGroup(
  "verification",
  Effect.fnUntraced(function* (handlers) {
    const asked = yield* RequestedMails
    const verification = yield* EmailVerification
    const passwords = yield* PasswordReset
    return handlers.handleAll({
      resendEmailToVerifyUser: ({ payload }) => answer(asked.ask({ what: "verify-user", email: payload.email })),
      verifyUser: ({ params, payload }) => answer(verification.confirmUser(params.id, payload.verificationString)),
      resendEmailToVerifyRegistration: ({ payload }) =>
        answer(asked.ask({ what: "verify-registration", email: payload.email })),
      verifyRegistrationEmail: ({ params, payload }) =>
        answer(verification.confirmRegistration(params.registrationId, payload.verificationString)),
      postUsersAskResetPassword: ({ payload }) => answer(asked.ask({ what: "reset-password", email: payload.email })),
      postUsersResetPassword: ({ params, payload }) =>
        answer(passwords.set(params.id, payload.verificationString, payload.password))
    } satisfies Answers<"verification">)
  })
)
