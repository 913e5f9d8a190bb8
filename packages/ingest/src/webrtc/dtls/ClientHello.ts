import { ByteReader } from "../bytes/ByteReader.ts"
import { Malformed } from "../bytes/Malformed.ts"

/** What the hello of a client says, as far as it matters here. */
export interface ClientHello {
  readonly random: Buffer
  readonly suites: ReadonlyArray<number>
  readonly groups: ReadonlyArray<number>
  readonly srtpProfiles: ReadonlyArray<number>
  /** Numbers of all extensions. */
  readonly extensions: ReadonlySet<number>
}

export const extension = {
  supportedGroups: 10,
  ecPointFormats: 11,
  useSrtp: 14,
  extendedMasterSecret: 23,
  renegotiationInfo: 0xff01
} as const

const pairs = (bytes: Uint8Array): ReadonlyArray<number> => {
  const reader = new ByteReader(bytes)
  const numbers: Array<number> = []
  while (reader.left >= 2) numbers.push(reader.number(2))
  return numbers
}

/** Reads the hello of a client (RFC 5246, 7.4.1.2; RFC 6347, 4.2.1). Throws `Malformed`. */
export const readClientHello = (body: Uint8Array): ClientHello => {
  const reader = new ByteReader(body)
  if (reader.number(2) !== 0xfefd) throw new Malformed("another version than DTLS 1.2")
  const random = Buffer.from(reader.bytes(32))
  reader.vector(1)
  reader.vector(1)
  const suites = pairs(reader.vector(2))
  reader.vector(1)
  const found = new Map<number, Buffer>()
  if (reader.left > 0) {
    const list = new ByteReader(reader.vector(2))
    while (list.left > 0) found.set(list.number(2), list.vector(2))
  }
  const listOf = (type: number): ReadonlyArray<number> => {
    const value = found.get(type)
    return value === undefined ? [] : pairs(new ByteReader(value).vector(2))
  }
  return {
    random,
    suites,
    groups: listOf(extension.supportedGroups),
    srtpProfiles: listOf(extension.useSrtp),
    extensions: new Set(found.keys())
  }
}
