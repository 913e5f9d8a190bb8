import { constants, type KeyObject, sign, verify } from "node:crypto"

/** Kinds of keys that sign requests. */
export type KeyKind = "rsa" | "ed25519"

/** How bytes are signed. The kind of the key decides which of these can be meant; the wire never does alone. */
export type SignatureScheme = "rsa-v1_5-sha256" | "rsa-v1_5-sha512" | "rsa-pss-sha512" | "ed25519"

export const kindOf = (key: KeyObject): KeyKind | undefined =>
  key.asymmetricKeyType === "rsa" || key.asymmetricKeyType === "ed25519" ? key.asymmetricKeyType : undefined

const kinds: Readonly<Record<SignatureScheme, KeyKind>> = {
  "rsa-v1_5-sha256": "rsa",
  "rsa-v1_5-sha512": "rsa",
  "rsa-pss-sha512": "rsa",
  ed25519: "ed25519"
}

const usual: Readonly<Record<KeyKind, SignatureScheme>> = { rsa: "rsa-v1_5-sha256", ed25519: "ed25519" }

/** The scheme of a key of this kind, when none or `named` is named. Undefined when the two do not agree. */
export const schemeOf = (kind: KeyKind, named: SignatureScheme | undefined): SignatureScheme | undefined =>
  named === undefined ? usual[kind] : kinds[named] === kind ? named : undefined

const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 } as const

const beyondLatin1 = /[\u0100-\uffff]/

/** Whether `signature` is that of `text` by `key`. Never throws for a key of a known kind. */
export const verifies = (scheme: SignatureScheme, text: string, key: KeyObject, signature: Uint8Array): boolean => {
  // Headers are bytes, one a character; anything else was never on a wire.
  if (beyondLatin1.test(text)) return false
  const bytes = Buffer.from(text, "latin1")
  switch (scheme) {
    case "rsa-v1_5-sha256":
      return verify("sha256", bytes, key, signature)
    case "rsa-v1_5-sha512":
      return verify("sha512", bytes, key, signature)
    case "rsa-pss-sha512":
      return verify("sha512", bytes, { key, ...pss }, signature)
    case "ed25519":
      return verify(null, bytes, key, signature)
  }
}

/**
 * Signs as peers of the network expect of a key of this kind: RSA with PKCS#1 v1.5 and SHA-256, or Ed25519. The work is done by
 * the thread pool: RSA-2048 takes about 0.8 ms, and a publication is signed for thousands of hosts. `done` gets base64.
 */
export const signText = (
  text: string,
  key: KeyObject,
  kind: KeyKind,
  done: (failure: Error | null, signature: string) => void
): void =>
  sign(kind === "rsa" ? "sha256" : null, Buffer.from(text, "latin1"), key, (failure, signature) =>
    done(failure, failure === null ? signature.toString("base64") : "")
  )
