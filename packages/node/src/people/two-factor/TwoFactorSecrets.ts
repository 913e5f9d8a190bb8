import { Context, Effect, Layer, Option } from "effect"
import { randomBytes } from "node:crypto"
import { SecretBox } from "../../platform/secrets/SecretBox.ts"
import { fromBase32, toBase32 } from "./Totp.ts"

/** As long as the hash that codes are made with (RFC 4226, 4, R6). */
const secretBytes = 20

export interface NewTwoFactorSecret {
  /** Base 32, for authenticators. */
  readonly text: string
  /** What is stored. */
  readonly sealed: string
}

/** Secrets of second factors: random, encrypted at rest. */
export class TwoFactorSecrets extends Context.Service<
  TwoFactorSecrets,
  {
    readonly make: Effect.Effect<NewTwoFactorSecret>
    /** None if the key of this node does not open it, which is logged once. */
    readonly open: (sealed: string) => Effect.Effect<Option.Option<Uint8Array>>
  }
>()("@kinora/node/twofactor/TwoFactorSecrets") {
  static readonly layer = Layer.effect(
    TwoFactorSecrets,
    Effect.gen(function* () {
      const box = yield* SecretBox
      let logged = false

      const tell = Effect.suspend(() => {
        if (logged) return Effect.void
        logged = true
        return Effect.logError(
          "The second factor of a user was sealed with another secret key than this node has: the user cannot log in. " +
            "Bring the key back, or switch the factor off (kinora users disable-two-factor): see docs/secrets.md."
        )
      })

      const open = Effect.fnUntraced(function* (sealed: string) {
        const text = yield* Effect.option(box.open(sealed, "one-time password"))
        if (Option.isNone(text)) yield* tell
        return Option.map(text, fromBase32)
      })

      const make = Effect.sync(() => {
        const text = toBase32(randomBytes(secretBytes))
        return { text, sealed: box.seal(text, "one-time password") }
      })

      return TwoFactorSecrets.of({ make, open })
    })
  )
}
