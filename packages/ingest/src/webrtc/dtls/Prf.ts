import { createHmac } from "node:crypto"

const hmac = (key: Uint8Array, ...parts: ReadonlyArray<Uint8Array>): Buffer => {
  const mac = createHmac("sha256", key)
  for (const part of parts) mac.update(part)
  return mac.digest()
}

/** The pseudo-random function of TLS 1.2 with SHA-256 (RFC 5246, 5). */
export const prf = (secret: Uint8Array, label: string, seed: Uint8Array, length: number): Buffer => {
  const labelled = Buffer.concat([Buffer.from(label, "ascii"), seed])
  const parts: Array<Buffer> = []
  let have = 0
  for (let chain = hmac(secret, labelled); have < length; chain = hmac(secret, chain)) {
    parts.push(hmac(secret, chain, labelled))
    have += 32
  }
  return Buffer.concat(parts).subarray(0, length)
}
