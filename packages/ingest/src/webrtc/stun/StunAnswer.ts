import { isIPv6 } from "node:net"
import { crc32 } from "node:zlib"
import { numberBytes } from "../bytes/ByteReader.ts"
import { plainAddress } from "../../rtmp/ConnectionCounts.ts"
import { attribute, bindingSuccess, fingerprintXor, magicCookie } from "./StunFormat.ts"
import { integrityOf, type StunRequest } from "./StunRequest.ts"

/** Where a packet came from. */
export interface PeerAddress {
  readonly address: string
  readonly port: number
}

const ipv6Bytes = (address: string): Buffer => {
  const [head = "", tail] = address.split("%", 1)[0]!.split("::")
  const groups = (text: string) => (text === "" ? [] : text.split(":"))
  const before = groups(head)
  const behind = tail === undefined ? [] : groups(tail)
  const all = [...before, ...Array<string>(8 - before.length - behind.length).fill("0"), ...behind]
  return Buffer.concat(all.map((group) => numberBytes(Number.parseInt(group, 16), 2)))
}

const addressBytes = (address: string): Buffer =>
  isIPv6(address) ? ipv6Bytes(address) : Buffer.from(address.split(".").map(Number))

const attributeBytes = (type: number, value: Uint8Array): Buffer =>
  Buffer.concat([numberBytes(type, 2), numberBytes(value.length, 2), value])

const header = (transaction: Uint8Array, length: number): Buffer =>
  Buffer.concat([numberBytes(bindingSuccess, 2), numberBytes(length, 2), numberBytes(magicCookie, 4), transaction])

/** Answers a check: where it came from, authenticated by the password of our side. */
export const stunAnswer = ({ transaction }: StunRequest, from: PeerAddress, password: string): Buffer => {
  const mask = Buffer.concat([numberBytes(magicCookie, 4), transaction])
  const address = addressBytes(plainAddress(from.address)).map((byte, index) => byte ^ mask[index]!)
  const mapped = attributeBytes(
    attribute.xorMappedAddress,
    Buffer.concat([
      Buffer.from([0, address.length === 4 ? 1 : 2]),
      numberBytes(from.port ^ (magicCookie >>> 16), 2),
      address
    ])
  )
  const open = Buffer.concat([header(transaction, mapped.length), mapped])
  const integrity = attributeBytes(attribute.messageIntegrity, integrityOf(open, open.length, password))
  const body = Buffer.concat([mapped, integrity])
  // The fingerprint covers a header that counts it already.
  const covered = Buffer.concat([header(transaction, body.length + 8), body])
  const check = (crc32(covered) ^ fingerprintXor) >>> 0
  return Buffer.concat([covered, attributeBytes(attribute.fingerprint, numberBytes(check, 4))])
}
