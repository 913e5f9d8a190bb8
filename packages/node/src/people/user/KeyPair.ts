import { toMultibase } from "@kinora/federation/signatures/PublicKeys"
import { Effect } from "effect"
import { generateKeyPair, type KeyObject } from "node:crypto"

/** An Ed25519 key pair: the public key as a Multikey (FEP-521a), the private one as PKCS #8 PEM. */
export interface MultikeyPair {
  readonly multibase: string
  readonly privateKey: string
}

/** An actor's RSA-2048 key pair (SPKI and PKCS #8, PEM) and its Ed25519 key pair. */
export interface KeyPair {
  readonly publicKey: string
  readonly privateKey: string
  readonly multikey: MultikeyPair
}

const privatePem = (key: KeyObject): string => key.export({ type: "pkcs8", format: "pem" }).toString()

const settled =
  <A>(resume: (effect: Effect.Effect<A>) => void, of: (publicKey: KeyObject, privateKey: KeyObject) => A) =>
  (error: Error | null, publicKey: KeyObject, privateKey: KeyObject) =>
    resume(error === null ? Effect.sync(() => of(publicKey, privateKey)) : Effect.die(error))

/** Makes an Ed25519 pair on a thread of the pool; takes about 0.1 ms. */
export const newMultikey: Effect.Effect<MultikeyPair> = Effect.callback<MultikeyPair>((resume) => {
  generateKeyPair(
    "ed25519",
    {},
    settled(resume, (publicKey, privateKey) => ({
      multibase: toMultibase(publicKey),
      privateKey: privatePem(privateKey)
    }))
  )
})

const newRsa = Effect.callback<Omit<KeyPair, "multikey">>((resume) => {
  generateKeyPair(
    "rsa",
    { modulusLength: 2048 },
    settled(resume, (publicKey, privateKey) => ({
      publicKey: publicKey.export({ type: "spki", format: "pem" }).toString(),
      privateKey: privatePem(privateKey)
    }))
  )
})

/** Makes the pairs of an actor on threads of the pool; takes about 0.1 to 0.5 s. */
export const newKeyPair: Effect.Effect<KeyPair> = Effect.zipWith(newRsa, newMultikey, (rsa, multikey) => ({
  ...rsa,
  multikey
}))
