import { Effect } from "effect"
import { generateKeyPair } from "node:crypto"

/** An actor's RSA-2048 pair: SPKI and PKCS #8, PEM. */
export interface KeyPair {
  readonly publicKey: string
  readonly privateKey: string
}

/** Makes a pair on a thread of the pool; takes about 0.1 to 0.5 s. */
export const newKeyPair: Effect.Effect<KeyPair> = Effect.callback<KeyPair>((resume) => {
  generateKeyPair(
    "rsa",
    {
      modulusLength: 2048,
      publicKeyEncoding: { type: "spki", format: "pem" },
      privateKeyEncoding: { type: "pkcs8", format: "pem" }
    },
    (error, publicKey, privateKey) =>
      resume(error === null ? Effect.succeed({ publicKey, privateKey }) : Effect.die(error))
  )
})
