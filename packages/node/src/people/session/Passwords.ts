import { ServiceUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { randomBytes, timingSafeEqual } from "node:crypto"
import { currentParameters, formatHash, keyBytes, parseHash, saltBytes } from "./PasswordHash.ts"
import { makePasswordWorkers } from "./PasswordWorker.ts"

/** The longest password, in bytes of UTF-8 (contract: Constraints, user.password.maxBytes). */
export const maxPasswordBytes = 72

/** Passwords that may wait to be verified: a few seconds' worth. Later ones are refused with `Retry-After`. */
const maxWaiting = 100
const busySeconds = 5

/** Whether a password is too long to be hashed, judged by its bytes. */
export const isTooLong = (password: string): boolean => Buffer.byteLength(password) > maxPasswordBytes

/** Different encodings of the same character, as keyboards produce them, count as the same password. */
const normal = (password: string): string => password.normalize("NFKC")

/**
 * Password hashes: argon2id (RFC 9106) with 19 MiB and two passes, or scrypt (RFC 7914) if Node.js has no argon2, on
 * threads of their own. A hash names its parameters, so old hashes can still be verified, and those of bcrypt that another program made.
 */
export class Passwords extends Context.Service<
  Passwords,
  {
    readonly hash: (password: string) => Effect.Effect<string>
    /**
     * Compares in constant time. Without a hash it takes as long and returns false. `ServiceUnavailable` at once if too
     * many wait.
     */
    readonly verify: (password: string, hash: string | undefined) => Effect.Effect<boolean, ServiceUnavailable>
  }
>()("@kinora/node/sessions/Passwords") {
  static readonly layer = Layer.effect(
    Passwords,
    Effect.gen(function* () {
      const derive = yield* makePasswordWorkers
      let waiting = 0

      const hash = Effect.fn("Passwords.hash")(function* (password: string) {
        const salt = randomBytes(saltBytes)
        const parameters = currentParameters
        const key = yield* derive({ password: normal(password), salt, bytes: keyBytes, parameters })
        return formatHash({ parameters, salt, key })
      })

      /** Unknown names are compared with this hash, which no password matches. */
      const nobody = { parameters: currentParameters, salt: randomBytes(saltBytes), key: randomBytes(keyBytes) }

      const compare = Effect.fnUntraced(function* (password: string, stored: string | undefined) {
        const known = stored === undefined ? undefined : parseHash(stored)
        const { key, parameters, salt } = known ?? nobody
        // Other programs hash a password as it was typed.
        const text = parameters.algorithm === "bcrypt" ? password : normal(password)
        const given = yield* derive({ password: text, salt, bytes: key.length, parameters })
        return timingSafeEqual(given, key) && known !== undefined
      })

      const enter = Effect.suspend(() => {
        if (waiting >= maxWaiting) {
          const reason = "Too many are logging in at the moment"
          return Effect.fail(new ServiceUnavailable({ reason, retryAfterSeconds: busySeconds }))
        }
        waiting += 1
        return Effect.void
      })
      const leave = Effect.sync(() => {
        waiting -= 1
      })

      const verify = Effect.fn("Passwords.verify")((password: string, stored: string | undefined) =>
        Effect.acquireUseRelease(
          enter,
          () => compare(password, stored),
          () => leave
        )
      )

      return Passwords.of({ hash, verify })
    })
  )
}
