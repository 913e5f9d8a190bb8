import { operator } from "@kinora/domain/users/Operator"
import { TwoFactorRows } from "@kinora/storage/people/two-factor/TwoFactorRows"
import { Console, Effect, Layer, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { AuditTrail } from "../platform/audit/AuditTrail.ts"
import { CliFailure, toCliFailure } from "./CliFailure.ts"
import { operatorLayer } from "./OperatorLayer.ts"

const layer = TwoFactorRows.layer.pipe(Layer.provideMerge(operatorLayer))

/**
 * For users who lost their authenticator, and for instances that lost their secret key. Also works for the first
 * administrator.
 */
export const disableTwoFactorCommand = Command.make(
  "disable-two-factor",
  { username: Argument.String("username").pipe(Argument.withDescription("Name the user logs in with")) },
  ({ username }) =>
    toCliFailure(
      Effect.gen(function* () {
        const rows = yield* TwoFactorRows
        const audit = yield* AuditTrail
        const disabled = yield* audit.act(
          operator,
          (done) =>
            Option.getOrElse(done, () => false)
              ? { domain: "user", action: "disable-two-factor", target: { username } }
              : undefined,
          rows.disableByName(username)
        )
        if (Option.isNone(disabled)) {
          return yield* new CliFailure({ message: `There is no user ${username}.`, exitCode: 1 })
        }
        yield* Console.log(
          disabled.value
            ? `${username} logs in with the password alone now.`
            : `${username} has no second factor: nothing was changed.`
        )
      }).pipe(Effect.provide(layer))
    )
).pipe(Command.withDescription("Switch a user's second factor off."))
