import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto"

/** A certificate that signs itself: peers know it by its fingerprint in the session description. */
export interface Certificate {
  readonly der: Buffer
  readonly key: KeyObject
  /** SHA-256, as the session description has it: `AA:BB:…`. */
  readonly fingerprint: string
}

/** An element of DER. */
const element = (tag: number, ...contents: ReadonlyArray<Uint8Array>): Buffer => {
  const body = Buffer.concat(contents)
  const { length } = body
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}

const sequence = (...contents: ReadonlyArray<Uint8Array>) => element(0x30, ...contents)
/** ecdsa-with-SHA256, 1.2.840.10045.4.3.2 */
const algorithm = sequence(element(0x06, Buffer.from([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02])))
/** commonName, 2.5.4.3 */
const commonName = element(0x06, Buffer.from([0x55, 0x04, 0x03]))
const name = sequence(element(0x31, sequence(commonName, element(0x0c, Buffer.from("WebRTC")))))

const utcTime = (millis: number): Buffer =>
  element(
    0x17,
    Buffer.from(
      `${new Date(millis)
        .toISOString()
        .replace(/[-T:]|\.\d+/g, "")
        .slice(2)}`
    )
  )

/** `AA:BB:…` of a hash of a certificate. */
export const fingerprintOf = (der: Uint8Array, hash: string): string =>
  createHash(hash)
    .update(der)
    .digest("hex")
    .toUpperCase()
    .replace(/..(?!$)/g, "$&:")

const day = 86_400_000

/** A new key on P-256 with its certificate, valid for a year. @param now milliseconds since 1970 */
export const selfSigned = (now: number): Certificate => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const serial = randomBytes(8)
  serial[0] = (serial[0]! & 0x7f) | 0x01
  const content = sequence(
    element(0x02, serial),
    algorithm,
    name,
    sequence(utcTime(now - day), utcTime(now + 365 * day)),
    name,
    publicKey.export({ type: "spki", format: "der" })
  )
  const signature = sign("sha256", content, privateKey)
  const der = sequence(content, algorithm, element(0x03, Buffer.from([0]), signature))
  return { der, key: privateKey, fingerprint: fingerprintOf(der, "sha256") }
}
