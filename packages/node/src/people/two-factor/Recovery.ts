import { CurrentPasswordForbidden } from "@kinora/domain/errors/AuthErrors"
import { BadRequest, InvalidParameters, type RateLimited } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable, ServiceUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { RecoveryCodeRows } from "@kinora/storage/people/two-factor/RecoveryCodeRows"
import { Context, Effect, Layer } from "effect"
import { CurrentPassword } from "../session/CurrentPassword.ts"
import { newRecoveryCode, recoveryCodes, recoveryDigest } from "./RecoveryCode.ts"

type Refused =
  | BadRequest
  | InvalidParameters
  | CurrentPasswordForbidden
  | RateLimited
  | ServiceUnavailable
  | DatabaseUnavailable

/** Recovery codes of users with a second factor. Nobody gets those of others. */
export class Recovery extends Context.Service<
  Recovery,
  {
    /** New codes in place of all earlier ones. They are shown this once. */
    readonly renew: (userId: number, password: string | undefined) => Effect.Effect<ReadonlyArray<string>, Refused>
    readonly left: (userId: number) => Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/node/twofactor/Recovery") {
  static readonly layer = Layer.effect(
    Recovery,
    Effect.gen(function* () {
      const rows = yield* RecoveryCodeRows
      const passwords = yield* CurrentPassword
      const renew = Effect.fn("Recovery.renew")(function* (userId: number, password: string | undefined) {
        if (password === undefined || password === "") {
          return yield* InvalidParameters.one("currentPassword", "Must be given", "body")
        }
        if (!(yield* passwords.check(userId, password))) return yield* new CurrentPasswordForbidden()
        const codes = Array.from({ length: recoveryCodes }, newRecoveryCode)
        const hashes = codes.map(recoveryDigest).filter((it) => it !== undefined)
        if (!(yield* rows.replace(userId, hashes))) {
          return yield* new BadRequest({ reason: "Two-factor authentication is not enabled" })
        }
        return codes
      })
      return Recovery.of({ renew, left: rows.count })
    })
  )
}
