import { Context, Effect, Layer, Semaphore } from "effect"
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto"

/** The longest password, in bytes of UTF-8 (contract: Constraints, user.password.maxBytes). */
export const maxPasswordBytes = 72

/** `128 * N * r` bytes are needed for one hash: 32 MiB. */
const cost = { N: 2 ** 15, r: 8, p: 1 }
const memoryLimit = 64 * 1024 * 1024
const saltBytes = 16
const keyBytes = 32
/** Hashes made at once: bounds memory, and leaves threads of the pool to files. */
const concurrency = 2

interface Parameters {
  readonly N: number
  readonly r: number
  readonly p: number
}

const format = /^\$scrypt\$N=(\d{1,8}),r=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9_-]+)\$([A-Za-z0-9_-]+)$/

const derive = (password: string, salt: Uint8Array, parameters: Parameters, bytes: number) =>
  Effect.callback<Buffer>((resume) => {
    scrypt(password.normalize("NFKC"), salt, bytes, { ...parameters, maxmem: memoryLimit }, (error, key) =>
      resume(error === null ? Effect.succeed(key) : Effect.die(error))
    )
  })

/** Whether a password is too long to be hashed, judged by its bytes. */
export const isTooLong = (password: string): boolean => Buffer.byteLength(password) > maxPasswordBytes

/**
 * Password hashes: scrypt (RFC 7914) off the event loop. A hash is `$scrypt$N=…,r=…,p=…$salt$key`, so that parameters
 * can change without spoiling those that stand.
 */
export class Passwords extends Context.Service<
  Passwords,
  {
    readonly hash: (password: string) => Effect.Effect<string>
    /** Compares in constant time; without a hash it takes as long and is false. */
    readonly verify: (password: string, hash: string | undefined) => Effect.Effect<boolean>
  }
>()("@kinora/node/sessions/Passwords") {
  static readonly layer = Layer.effect(
    Passwords,
    Effect.gen(function* () {
      const permits = yield* Semaphore.make(concurrency)

      const hash = Effect.fn("Passwords.hash")(function* (password: string) {
        const salt = randomBytes(saltBytes)
        const key = yield* derive(password, salt, cost, keyBytes)
        const { N, p, r } = cost
        return `$scrypt$N=${N},r=${r},p=${p}$${salt.toString("base64url")}$${key.toString("base64url")}`
      }, permits.withPermits(1))

      /** What unknown names are compared with; nothing hashes to it. */
      const nobody = { salt: randomBytes(saltBytes), key: randomBytes(keyBytes) }

      const verify = Effect.fn("Passwords.verify")(function* (password: string, stored: string | undefined) {
        const parts = stored === undefined ? null : format.exec(stored)
        if (parts === null) {
          const key = yield* derive(password, nobody.salt, cost, keyBytes)
          timingSafeEqual(key, nobody.key)
          return false
        }
        const expected = Buffer.from(parts[5]!, "base64url")
        const parameters = { N: Number(parts[1]), r: Number(parts[2]), p: Number(parts[3]) }
        const key = yield* derive(password, Buffer.from(parts[4]!, "base64url"), parameters, expected.length)
        return timingSafeEqual(key, expected)
      }, permits.withPermits(1))

      return Passwords.of({ hash, verify })
    })
  )
}
