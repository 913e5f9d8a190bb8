import { createCipheriv } from "node:crypto"

/** Key and salt that came out of the handshake. */
export interface MasterKey {
  readonly key: Uint8Array
  readonly salt: Uint8Array
}

/** Keys of one direction of SRTP or of SRTCP. */
export interface SessionKeys {
  readonly cipher: Buffer
  readonly authentication: Buffer
  readonly salt: Buffer
}

/** Labels of RFC 3711, 4.3.1 and 4.3.2. */
const labels = { srtp: [0, 1, 2], srtcp: [3, 4, 5] } as const

const derive = ({ key, salt }: MasterKey, label: number, length: number): Buffer => {
  const counter = Buffer.alloc(16)
  counter.set(salt)
  counter[7]! ^= label
  return createCipheriv("aes-128-ctr", key, counter).update(Buffer.alloc(length))
}

/** Derives the keys of a direction (RFC 3711, 4.3), for AES-128 in counter mode and HMAC-SHA1. */
export const sessionKeys = (master: MasterKey, of: "srtp" | "srtcp"): SessionKeys => {
  const [cipher, authentication, salt] = labels[of]
  return {
    cipher: derive(master, cipher, 16),
    authentication: derive(master, authentication, 20),
    salt: derive(master, salt, 14)
  }
}

/** The counter that a packet's encryption begins with (RFC 3711, 4.1.1). `index`: up to 48 bits. */
export const counterOf = (salt: Uint8Array, ssrc: number, index: number): Buffer => {
  const counter = Buffer.alloc(16)
  counter.set(salt)
  const mask = Buffer.alloc(16)
  mask.writeUInt32BE(ssrc, 4)
  mask.writeUIntBE(index, 8, 6)
  for (let at = 4; at < 14; at++) counter[at]! ^= mask[at]!
  return counter
}
