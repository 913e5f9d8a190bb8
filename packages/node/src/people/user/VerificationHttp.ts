import { Api } from "@kinora/domain/api/Api"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../platform/http/Answer.ts"
import { AskedMails } from "../verification/AskedMails.ts"
import { EmailVerification } from "../verification/EmailVerification.ts"
import { PasswordReset } from "./PasswordReset.ts"

/** Asking for links in mails, and using them. */
export const layer = HttpApiBuilder.group(
  Api,
  "verification",
  Effect.fnUntraced(function* (handlers) {
    const asked = yield* AskedMails
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
    })
  })
)
