import { sign } from "node:crypto"
import { numberBytes, vectorBytes } from "../bytes/ByteReader.ts"
import { type ClientHello, extension } from "./ClientHello.ts"
import { handshake } from "./Handshakes.ts"
import { version } from "./Records.ts"
import type { Certificate } from "./SelfSigned.ts"
import { offeredSchemes, schemes } from "./Signatures.ts"

/** TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, which WebRTC requires (RFC 8827, 6.5). */
export const suite = 0xc02b
/** secp256r1, which WebRTC requires as well. */
export const group = 23
/** SRTP_AES128_CM_HMAC_SHA1_80 */
export const srtpProfile = 1

/** TLS_EMPTY_RENEGOTIATION_INFO_SCSV */
const renegotiationSuite = 0x00ff

const extensionBytes = (type: number, value: ReadonlyArray<number>): Buffer =>
  Buffer.concat([numberBytes(type, 2), vectorBytes(Buffer.from(value), 2)])

const serverHello = (hello: ClientHello, random: Uint8Array): Buffer => {
  const answers: ReadonlyArray<readonly [number, ReadonlyArray<number>]> = [
    [extension.renegotiationInfo, [0]],
    [extension.extendedMasterSecret, []],
    [extension.ecPointFormats, [1, 0]],
    [extension.useSrtp, [0, 2, 0, srtpProfile, 0]]
  ]
  // A server answers the extensions of the client, and has none of its own. One of them may be said as a suite (RFC 5746, 3.3).
  const asked = (type: number): boolean =>
    hello.extensions.has(type) || (type === extension.renegotiationInfo && hello.suites.includes(renegotiationSuite))
  const extensions = answers.flatMap(([type, value]) => (asked(type) ? [extensionBytes(type, value)] : []))
  return Buffer.concat([
    version,
    random,
    Buffer.from([0]),
    numberBytes(suite, 2),
    Buffer.from([0]),
    vectorBytes(Buffer.concat(extensions), 2)
  ])
}

const keyExchange = (hello: ClientHello, random: Uint8Array, point: Uint8Array, { key }: Certificate): Buffer => {
  const parameters = Buffer.concat([Buffer.from([3]), numberBytes(group, 2), vectorBytes(point, 1)])
  const signature = sign("sha256", Buffer.concat([hello.random, random, parameters]), key)
  return Buffer.concat([parameters, numberBytes(schemes.ecdsaP256, 2), vectorBytes(signature, 2)])
}

/** Types of certificates that are asked for: ECDSA and RSA. */
const certificateTypes = Buffer.from([64, 1])

/** What the server says to the hello of a client: messages with their types, in order. */
export const serverFlight = (
  hello: ClientHello,
  random: Uint8Array,
  point: Uint8Array,
  certificate: Certificate
): ReadonlyArray<readonly [type: number, body: Uint8Array]> => [
  [handshake.serverHello, serverHello(hello, random)],
  [handshake.certificate, vectorBytes(vectorBytes(certificate.der, 3), 3)],
  [handshake.serverKeyExchange, keyExchange(hello, random, point, certificate)],
  [
    handshake.certificateRequest,
    Buffer.concat([vectorBytes(certificateTypes, 1), vectorBytes(offeredSchemes, 2), numberBytes(0, 2)])
  ],
  [handshake.serverHelloDone, new Uint8Array()]
]
