import { Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { sendsMail } from "../../platform/mail/SendsMail.ts"
import { PageSignup } from "../PageSignup.ts"
import { SignupPolicy } from "../../people/registration/SignupPolicy.ts"

/** Who may register, by the same policy as the API. */
export const PageSignupLayer = Layer.effect(
  PageSignup,
  Effect.gen(function* () {
    const config = yield* KinoraConfig
    const { signup } = config
    const { shown } = yield* SignupPolicy
    return PageSignup.of({
      shown,
      get requiresApproval() {
        return signup.requires_approval
      },
      get verifiesEmail() {
        return signup.requires_email_verification
      },
      get minimumAge() {
        return signup.minimum_age
      },
      get isOffered() {
        return signup.enabled
      },
      sendsMail: sendsMail(config)
    })
  })
)
