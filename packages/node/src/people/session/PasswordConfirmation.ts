import { CurrentPasswordForbidden, InvalidToken, PasswordConfirmationRequired } from "@kinora/domain/errors/AuthErrors"
import type { RateLimited } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable, ServiceUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { isOperator } from "@kinora/domain/users/Operator"
import { TokenRows } from "@kinora/storage/people/session/TokenRows"
import { Context, Duration, Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { CurrentPassword } from "./CurrentPassword.ts"

/** How long a confirmation holds, and a login, which is one. */
const confirmedFor = Duration.minutes(10)

/**
 * Has administrators confirm their password before something dangerous, where the instance wants it
 * (`security.confirm_dangerous_acts`): whoever finds a session open, or takes a token, cannot do it. The confirmation is one of
 * the session, so requests need nothing more.
 */
export class PasswordConfirmation extends Context.Service<
  PasswordConfirmation,
  {
    readonly confirm: (
      user: CurrentUserShape,
      password: string
    ) => Effect.Effect<
      void,
      CurrentPasswordForbidden | InvalidToken | RateLimited | DatabaseUnavailable | ServiceUnavailable
    >
    /** Refuses what needs a confirmation without one. */
    readonly require: (
      user: CurrentUserShape
    ) => Effect.Effect<void, PasswordConfirmationRequired | DatabaseUnavailable>
  }
>()("@kinora/node/people/session/PasswordConfirmation") {
  static readonly layer = Layer.effect(
    PasswordConfirmation,
    Effect.gen(function* () {
      const { security } = yield* KinoraConfig
      const passwords = yield* CurrentPassword
      const rows = yield* TokenRows

      return PasswordConfirmation.of({
        confirm: Effect.fn("PasswordConfirmation.confirm")(function* (user, password) {
          if (!(yield* passwords.check(user.id, password))) return yield* new CurrentPasswordForbidden()
          if (!(yield* rows.confirm(user.tokenId))) return yield* new InvalidToken()
        }),
        require: Effect.fn("PasswordConfirmation.require")(function* (user) {
          // Whoever runs the instance needs no session.
          if (!security.confirm_dangerous_acts || isOperator(user)) return
          if (!(yield* rows.isConfirmed(user.tokenId, Duration.toSeconds(confirmedFor)))) {
            return yield* new PasswordConfirmationRequired()
          }
        })
      })
    })
  )
}
