import { createDecipheriv } from "node:crypto"
import type { StreamKey, StreamKeys } from "./KeyMaterial.ts"

const ivLength = 16
/** The salt takes part with 112 bits: the last 16 count the blocks. */
const ivSalt = 14
const sequenceAt = 10

/** Decrypts the payloads of a connection (SRT 6.3.2). */
export class Decryption {
  #even: StreamKey | undefined
  #odd: StreamKey | undefined
  readonly #iv = Buffer.alloc(ivLength)

  constructor(keys: StreamKeys) {
    this.add(keys)
  }

  /** Keys replace those of the same kind. */
  add({ even, odd }: StreamKeys): void {
    this.#even = even ?? this.#even
    this.#odd = odd ?? this.#odd
  }

  /** The payload of a packet with this key field. Undefined: its key is not known. */
  open(payload: Buffer, which: number, sequence: number): Buffer | undefined {
    const known = which === 1 ? this.#even : which === 2 ? this.#odd : undefined
    if (known === undefined) return undefined
    const iv = this.#iv
    iv.fill(0)
    known.salt.copy(iv, 0, 0, ivSalt)
    iv.writeUInt32BE((iv.readUInt32BE(sequenceAt) ^ sequence) >>> 0, sequenceAt)
    return createDecipheriv(`aes-${known.key.length * 8}-ctr`, known.key, iv).update(payload)
  }
}
