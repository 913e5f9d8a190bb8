import { createCipheriv, createDecipheriv } from "node:crypto"
import { ByteReader, numberBytes } from "../bytes/ByteReader.ts"
import { Malformed } from "../bytes/Malformed.ts"

/** Content types of records. */
export const content = { changeCipherSpec: 20, alert: 21, handshake: 22 } as const

/** DTLS 1.2 */
export const version = Buffer.from([0xfe, 0xfd])

/** A record of DTLS (RFC 6347, 4.1). */
export interface DtlsRecord {
  readonly type: number
  readonly epoch: number
  /** Epoch and number together: the 8 bytes that are authenticated. */
  readonly sequence: Buffer
  readonly fragment: Buffer
}

/** The records of a datagram. Throws `Malformed`. */
export const readRecords = (datagram: Uint8Array): ReadonlyArray<DtlsRecord> => {
  const reader = new ByteReader(datagram)
  const records: Array<DtlsRecord> = []
  while (reader.left > 0) {
    const type = reader.number(1)
    if (reader.number(1) !== 0xfe) throw new Malformed("no record of DTLS")
    reader.number(1)
    const sequence = reader.bytes(8)
    records.push({ type, epoch: sequence.readUInt16BE(0), sequence, fragment: reader.vector(2) })
  }
  return records
}

const sequenceOf = (epoch: number, number: number): Buffer =>
  Buffer.concat([numberBytes(epoch, 2), numberBytes(number, 6)])

const recordBytes = (type: number, sequence: Uint8Array, fragment: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([type]), version, sequence, numberBytes(fragment.length, 2), fragment])

/** A record in the clear. */
export const plainRecord = (type: number, number: number, fragment: Uint8Array): Buffer =>
  recordBytes(type, sequenceOf(0, number), fragment)

/** Key and fixed part of the nonces of one direction. */
export interface RecordKey {
  readonly key: Uint8Array
  readonly iv: Uint8Array
}

const tagLength = 16

const additional = (type: number, sequence: Uint8Array, length: number): Buffer =>
  Buffer.concat([sequence, Buffer.from([type]), version, numberBytes(length, 2)])

/** A record of epoch 1, encrypted by AES-128-GCM (RFC 5288). */
export const sealedRecord = (type: number, number: number, plain: Uint8Array, { iv, key }: RecordKey): Buffer => {
  const sequence = sequenceOf(1, number)
  const cipher = createCipheriv("aes-128-gcm", key, Buffer.concat([iv, sequence]))
  cipher.setAAD(additional(type, sequence, plain.length))
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
  return recordBytes(type, sequence, Buffer.concat([sequence, sealed, cipher.getAuthTag()]))
}

/** What a record of epoch 1 holds; undefined: it is not from who has the key. */
export const openRecord = ({ fragment, sequence, type }: DtlsRecord, { iv, key }: RecordKey): Buffer | undefined => {
  const length = fragment.length - 8 - tagLength
  if (length < 0) return undefined
  const decipher = createDecipheriv("aes-128-gcm", key, Buffer.concat([iv, fragment.subarray(0, 8)]))
  decipher.setAAD(additional(type, sequence, length))
  decipher.setAuthTag(fragment.subarray(8 + length))
  const plain = decipher.update(fragment.subarray(8, 8 + length))
  try {
    return Buffer.concat([plain, decipher.final()])
  } catch {
    return undefined
  }
}
