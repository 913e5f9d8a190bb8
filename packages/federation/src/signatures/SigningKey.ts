import type { KeyObject } from "node:crypto"

/** A private key of ours. `id` is what peers look up: the actor's url (contract activitypub.json, signatures.http.keyIdSent). */
export interface SigningKey {
  readonly id: string
  readonly privateKey: KeyObject
  readonly algorithm: "rsa" | "ed25519"
}
