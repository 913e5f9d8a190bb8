import { constants, verify, X509Certificate } from "node:crypto"
import { ByteReader, numberBytes } from "../bytes/ByteReader.ts"
import { Malformed } from "../bytes/Malformed.ts"

/** Signature schemes that peers may sign with (RFC 8446, 4.2.3, which has the numbers of TLS 1.2 as well). */
export const schemes = { ecdsaP256: 0x0403, ecdsaP384: 0x0503, rsaPss: 0x0804, rsaPkcs1: 0x0401 } as const

export const offeredSchemes = Buffer.concat(Object.values(schemes).map((scheme) => numberBytes(scheme, 2)))

const digests: Readonly<Record<number, { readonly hash: string; readonly type: string; readonly pss?: true }>> = {
  [schemes.ecdsaP256]: { hash: "sha256", type: "ec" },
  [schemes.ecdsaP384]: { hash: "sha384", type: "ec" },
  [schemes.rsaPss]: { hash: "sha256", type: "rsa", pss: true },
  [schemes.rsaPkcs1]: { hash: "sha256", type: "rsa" }
}

const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }

/** The first certificate of a message, which is the peer's own. Throws `Malformed`. */
export const readCertificate = (body: Uint8Array): Buffer => {
  const list = new ByteReader(new ByteReader(body).vector(3))
  if (list.left === 0) throw new Malformed("no certificate")
  return list.vector(3)
}

/** Whether the signature of a message is by the key of the certificate. Throws `Malformed`. */
export const isSignedBy = (der: Uint8Array, body: Uint8Array, signed: Uint8Array): boolean => {
  const reader = new ByteReader(body)
  const scheme = digests[reader.number(2)]
  const signature = reader.vector(2)
  if (scheme === undefined) return false
  try {
    const key = new X509Certificate(der).publicKey
    if (key.asymmetricKeyType !== scheme.type) return false
    return verify(scheme.hash, signed, scheme.pss ? { key, ...pss } : key, signature)
  } catch {
    return false
  }
}
