import { createDecipheriv, pbkdf2 } from "node:crypto"
import { promisify } from "node:util"

/** A keying material message (SRT 3.2.2): keys of the stream, wrapped by one that follows from the passphrase. */
interface KeyMaterial {
  /** 1: the even key; 2: the odd key; 3: both, the even one first. */
  readonly which: number
  readonly keyLength: number
  readonly salt: Buffer
  readonly wrapped: Buffer
}

/** A key of the stream. */
export interface StreamKey {
  readonly key: Buffer
  readonly salt: Buffer
}

/** The keys that a message held. */
export interface StreamKeys {
  readonly even?: StreamKey
  readonly odd?: StreamKey
}

const derive = promisify(pbkdf2)
const rounds = 2048
/** What a wrapped key has besides (RFC 3394). */
const integrityLength = 8
const wrapIv = Buffer.alloc(integrityLength, 0xa6)
/** S 0, V 1, PT 2 (keying material). */
const firstByte = 0x12
const sign = 0x20_29
const aesCtr = 2
const saltLength = 16
const fixedLength = 16

const read = (message: Buffer): KeyMaterial | undefined => {
  if (message.length < fixedLength || message[0] !== firstByte || message.readUInt16BE(1) !== sign) return undefined
  const which = (message[3] as number) & 3
  const keyLength = (message[15] as number) * 4
  if (message[8] !== aesCtr || message[9] !== 0 || (message[14] as number) * 4 !== saltLength) return undefined
  if (which === 0 || ![16, 24, 32].includes(keyLength)) return undefined
  const wrappedLength = (which === 3 ? 2 : 1) * keyLength + integrityLength
  if (message.length < fixedLength + saltLength + wrappedLength) return undefined
  // They outlive the packet.
  const salt = Buffer.from(message.subarray(fixedLength, fixedLength + saltLength))
  return { which, keyLength, salt, wrapped: message.subarray(fixedLength + saltLength).subarray(0, wrappedLength) }
}

/** Undoes the wrapping. Undefined: the wrapping key is another one. */
const unwrap = (wrapped: Buffer, wrapping: Buffer): Buffer | undefined => {
  const decipher = createDecipheriv(`id-aes${wrapping.length * 8}-wrap`, wrapping, wrapIv)
  try {
    return Buffer.concat([decipher.update(wrapped), decipher.final()])
  } catch {
    return undefined
  }
}

/**
 * The keys of a keying material message. `malformed`: it is none, or of a cipher other than AES-CTR; `passphrase`: it was made
 * with another one.
 */
export const openKeyMaterial = async (
  message: Buffer,
  passphrase: string
): Promise<StreamKeys | "malformed" | "passphrase"> => {
  const material = read(message)
  if (material === undefined) return "malformed"
  const { keyLength, salt, which, wrapped } = material
  const wrapping = await derive(passphrase, salt.subarray(-8), rounds, keyLength, "sha1")
  const keys = unwrap(wrapped, wrapping)
  if (keys === undefined) return "passphrase"
  const first = { key: keys.subarray(0, keyLength), salt }
  if (which === 3) return { even: first, odd: { key: keys.subarray(keyLength), salt } }
  return which === 1 ? { even: first } : { odd: first }
}
