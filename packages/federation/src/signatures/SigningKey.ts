import type { KeyObject } from "node:crypto"

/**
 * A private key of ours. `id` is that of the key in the actor's document, with its fragment: some peers take no other name for
 * it, and those that look for the actor drop the fragment (contract activitypub.json, signatures.http.keyIdAccepted).
 */
export interface SigningKey {
  readonly id: string
  readonly privateKey: KeyObject
  readonly algorithm: "rsa" | "ed25519"
}
