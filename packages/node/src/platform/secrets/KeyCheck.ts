import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { InstanceSettings } from "@kinora/storage/instance/installation/InstanceSettings"
import { type SealedColumn, SealedRows } from "@kinora/storage/people/two-factor/SealedRows"
import { Context, Effect, Layer, Option } from "effect"
import { SecretBox, type SealedFor } from "./SecretBox.ts"

/** The setting with a value that was sealed with the instance's key. */
export const checkSetting = "secret_check"
const checkText = "kinora"

const purposes: Readonly<Record<SealedColumn, SealedFor>> = {
  otp_secret: "one-time password",
  feed_token: "feed token",
  sealed_secret: "webhook secret",
  former_sealed_secret: "webhook secret"
}
const page = 500

/** What happened to the sealed values of a column. */
interface Sealed {
  readonly renewed: number
  readonly lost: number
}

/**
 * Warns operators if the secret key of this node is not the one that stored values were sealed with. Also reseals
 * values of former keys.
 */
export class KeyCheck extends Context.Service<
  KeyCheck,
  {
    /**
     * Compares the key with the instance's. While there are former keys, everything that opens is sealed again with the
     * present one. Second factors that cannot be opened are logged as an error. If none are left, the present key
     * becomes the instance's.
     */
    readonly run: Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/node/secrets/KeyCheck") {
  static readonly layer = Layer.effect(
    KeyCheck,
    Effect.gen(function* () {
      const box = yield* SecretBox
      const settings = yield* InstanceSettings
      const rows = yield* SealedRows

      const renewAll = Effect.fnUntraced(function* (
        column: SealedColumn
      ): Effect.fn.Return<Sealed, DatabaseUnavailable> {
        let [renewed, lost, last] = [0, 0, 0]
        for (;;) {
          const values = yield* rows.after(column, last, page)
          for (const value of values) {
            last = value.id
            const result = yield* Effect.result(box.renew(value.sealed, purposes[column]))
            if (result._tag === "Failure") lost += 1
            else if (Option.isSome(result.success)) {
              yield* rows.replace(column, value, result.success.value)
              renewed += 1
            }
          }
          if (values.length < page) return { renewed, lost }
        }
      })

      const renewValues = Effect.gen(function* () {
        const factors = yield* renewAll("otp_secret")
        const feeds = yield* renewAll("feed_token")
        const webhooks = yield* renewAll("sealed_secret")
        const formers = yield* renewAll("former_sealed_secret")
        const renewed = factors.renewed + feeds.renewed + webhooks.renewed + formers.renewed
        if (renewed > 0)
          yield* Effect.logInfo(
            `${renewed} values encrypted with earlier keys are now encrypted with the current secret key.`
          )
        return factors
      })

      const settle = Effect.fnUntraced(function* (check: string) {
        const factors = yield* renewValues
        if (factors.lost > 0) {
          return yield* Effect.logError(
            `This node has another secret key than the instance: ${factors.lost} users with a second factor cannot log in. ` +
              "Bring the former key back, or switch their second factors off: see docs/secrets.md."
          )
        }
        yield* settings.replace(checkSetting, check, box.seal(checkText, "key check"))
        yield* Effect.logWarning(
          "The secret key is another one than before. Nobody needs the former one to log in; all nodes must have this one now."
        )
      })

      const run = Effect.gen(function* () {
        const check = yield* settings.textOr(checkSetting, box.seal(checkText, "key check"))
        const renewed = yield* Effect.result(box.renew(check, "key check"))
        if (renewed._tag === "Failure" || Option.isSome(renewed.success)) yield* settle(check)
        // A node that was not restarted yet still seals with the former key.
        else if (box.hasFormerKeys) yield* renewValues
      }).pipe(Effect.withSpan("KeyCheck.run"))

      return KeyCheck.of({ run })
    })
  )
}
