import type { KeyObject } from "node:crypto"

/** A remote public key, read by `PublicKeys`, its ownership checked both ways (`Authority.ownsKey`). */
export interface VerificationKey {
  /** As its document calls it. */
  readonly id: string
  /** Url of the actor whose key it is. */
  readonly owner: string
  readonly key: KeyObject
}
