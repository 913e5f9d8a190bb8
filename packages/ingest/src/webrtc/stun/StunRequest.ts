import { createHmac, timingSafeEqual } from "node:crypto"
import { ByteReader } from "../bytes/ByteReader.ts"
import { attribute, bindingRequest, headerLength, integrityLength, magicCookie } from "./StunFormat.ts"

/** A check of connectivity (RFC 8445) that asks for an answer. */
export interface StunRequest {
  readonly transaction: Uint8Array
  /** The fragment by which our side knows the session: the first half of the user name. */
  readonly localFragment: string
  /** Whether the peer chooses this path. */
  readonly nominates: boolean
  /** Where the attribute of integrity begins. */
  readonly integrityAt: number
}

/** The address of a user name has two fragments of up to 256 characters. */
const longestName = 513

/** Reads a binding request; undefined: it is another message, or no request of ICE. Throws `Malformed`. */
export const readStunRequest = (bytes: Uint8Array): StunRequest | undefined => {
  const reader = new ByteReader(bytes)
  if (reader.number(2) !== bindingRequest) return undefined
  const length = reader.number(2)
  if (reader.number(4) !== magicCookie || length % 4 !== 0 || length !== bytes.length - headerLength) return undefined
  const transaction = reader.bytes(12)
  let name: string | undefined
  let nominates = false
  while (reader.left > 0) {
    const at = bytes.length - reader.left
    const type = reader.number(2)
    const value = reader.vector(2)
    if (value.length % 4 !== 0) reader.bytes(4 - (value.length % 4))
    if (type === attribute.username && value.length <= longestName) name = value.toString("utf8")
    if (type === attribute.useCandidate) nominates = true
    if (type === attribute.messageIntegrity) {
      const [localFragment] = name?.split(":", 1) ?? []
      if (localFragment === undefined || value.length !== 20) return undefined
      return { transaction, localFragment, nominates, integrityAt: at }
    }
  }
  return undefined
}

/** HMAC over a message up to the attribute of integrity, whose length counts already. */
export const integrityOf = (bytes: Uint8Array, integrityAt: number, password: string): Buffer => {
  const covered = Buffer.from(bytes.subarray(0, integrityAt))
  covered.writeUInt16BE(integrityAt + integrityLength - headerLength, 2)
  return createHmac("sha1", password).update(covered).digest()
}

/** Whether who sent the request knows our password. */
export const isAuthentic = (bytes: Uint8Array, { integrityAt }: StunRequest, password: string): boolean =>
  timingSafeEqual(bytes.subarray(integrityAt + 4, integrityAt + 24), integrityOf(bytes, integrityAt, password))
