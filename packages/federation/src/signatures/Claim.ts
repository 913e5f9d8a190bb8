import type { KeyObject } from "node:crypto"
import { kindOf, schemeOf, type SignatureScheme, verifies } from "./SignatureScheme.ts"
import type { SignatureForm } from "./SignedRequest.ts"

/** A signature that passed every check that needs no key. */
export interface Claim {
  readonly form: SignatureForm
  /** As sent: an http(s) url, or `acct:name@host`. */
  readonly keyId: string
  /** What the request says it is signed by, where it says so. */
  readonly named: SignatureScheme | undefined
  /** What may have been signed, the most likely first. One or two. */
  readonly bases: ReadonlyArray<string>
  readonly signature: Uint8Array
}

/** Whether a claim was made with the private half of this key. */
export const verifyWith = ({ named, bases, signature }: Claim, key: KeyObject): boolean => {
  const kind = kindOf(key)
  const scheme = kind === undefined ? undefined : schemeOf(kind, named)
  return scheme !== undefined && bases.some((base) => verifies(scheme, base, key, signature))
}
