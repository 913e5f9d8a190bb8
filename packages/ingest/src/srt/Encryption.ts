import { Effect, Semaphore } from "effect"
import { Decryption } from "./Decryption.ts"
import { openKeyMaterial } from "./KeyMaterial.ts"
import { Rejected } from "./Rejected.ts"
import { rejection } from "./Rejection.ts"

/** An encrypted stream. */
export interface Encryption {
  readonly passphrase: string
  readonly decryption: Decryption
}

const unsecure = (detail: string) => new Rejected({ code: rejection.unsecure, detail })

/**
 * What decides how the stream of a caller is decrypted, by the keying material that it sent. Both sides have to have the same
 * passphrase, or none.
 */
export const makeEncryption = (passphrase: string | undefined) =>
  Effect.gen(function* () {
    /** Deriving a key takes a thread of the pool that files need, too: no more than one. */
    const derivation = yield* Semaphore.make(1)
    return Effect.fnUntraced(function* (
      keyMaterial: Buffer | undefined
    ): Effect.fn.Return<Encryption | undefined, Rejected> {
      if (passphrase === undefined && keyMaterial === undefined) return undefined
      if (passphrase === undefined) return yield* unsecure("no passphrase is set here")
      if (keyMaterial === undefined) return yield* unsecure("not encrypted")
      const keys = yield* derivation.withPermits(1)(Effect.promise(() => openKeyMaterial(keyMaterial, passphrase)))
      if (keys === "malformed") return yield* new Rejected({ code: rejection.cipher, detail: "an unknown cipher" })
      if (keys === "passphrase") return yield* new Rejected({ code: rejection.badSecret, detail: "another passphrase" })
      return { passphrase, decryption: new Decryption(keys) }
    })
  })
