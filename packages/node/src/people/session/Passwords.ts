import { ServiceUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { randomBytes, timingSafeEqual } from "node:crypto"
import { currentParameters, formatHash, keyBytes, parseHash, saltBytes } from "./PasswordHash.ts"
import { makePasswordWorkers } from "./PasswordWorker.ts"

/** The longest password, in bytes of UTF-8 (contract: Constraints, user.password.maxBytes). */
export const maxPasswordBytes = 72

/** Passwords that may wait to be verified: a few seconds' worth. Whoever comes later is told to come again. */
const mostWaiting = 100
const busySeconds = 5

/** Whether a password is too long to be hashed, judged by its bytes. */
export const isTooLong = (password: string): boolean => Buffer.byteLength(password) > maxPasswordBytes

/** Look-alikes that keyboards make of one character are one password. */
const normal = (password: string): string => password.normalize("NFKC")

/**
 * Password hashes: argon2id (RFC 9106) with 19 MiB and two passes, or scrypt (RFC 7914) where Node.js has no argon2, on
 * threads of their own. A hash names its parameters, so that those that stand go on to be verified.
 */
export class Passwords extends Context.Service<
  Passwords,
  {
    readonly hash: (password: string) => Effect.Effect<string>
    /**
     * Compares in constant time; without a hash it takes as long and is false. `ServiceUnavailable` at once when too many
     * wait.
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

      /** What unknown names are compared with; nothing hashes to it. */
      const nobody = { parameters: currentParameters, salt: randomBytes(saltBytes), key: randomBytes(keyBytes) }

      const compare = Effect.fnUntraced(function* (password: string, stored: string | undefined) {
        const known = stored === undefined ? undefined : parseHash(stored)
        const { key, parameters, salt } = known ?? nobody
        const given = yield* derive({ password: normal(password), salt, bytes: key.length, parameters })
        return timingSafeEqual(given, key) && known !== undefined
      })

      const enter = Effect.suspend(() => {
        if (waiting >= mostWaiting) {
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
