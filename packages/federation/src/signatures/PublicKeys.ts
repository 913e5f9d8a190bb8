import { createPublicKey, type KeyObject } from "node:crypto"
import { Result, Schema } from "effect"
import { decodeBase58, encodeBase58 } from "./Base58.ts"
import { readBase64 } from "./ClaimRules.ts"

/** A remote key that is malformed or of an unsupported kind. */
export class KeyRefused extends Schema.TaggedError<KeyRefused>()("KeyRefused", { why: Schema.String }) {
  override get message(): string {
    return this.why
  }
}

/** Bits of an RSA modulus that are asked for where nobody says otherwise: less can be broken. */
const usualRsaBits = 2_048
/** More takes too long: 8192 bits verify in about 0.4 ms. */
const mostRsaBits = 8_192

/** A verification takes time with the exponent's length; real keys have 3 or 65537. */
const greatestExponent = 2n ** 32n

/** Longest text of a key that is read: 8192 bits in PEM are about 1,450 characters. */
const longestKey = 4_096

const refuse = (why: string): Result.Result<never, KeyRefused> => Result.fail(new KeyRefused({ why }))

const withinLimits = (key: KeyObject, minRsaBits: number): Result.Result<KeyObject, KeyRefused> => {
  if (key.asymmetricKeyType === "ed25519") return Result.succeed(key)
  if (key.asymmetricKeyType !== "rsa") return refuse("the key is neither RSA nor Ed25519")
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {}
  if (modulusLength < minRsaBits || modulusLength > mostRsaBits)
    return refuse(`the RSA key has ${modulusLength} bits, not ${minRsaBits} to ${mostRsaBits}`)
  if (publicExponent < 3n || publicExponent > greatestExponent || publicExponent % 2n === 0n)
    return refuse("the key's exponent is out of bounds")
  return Result.succeed(key)
}

const fromDer = (der: Uint8Array, type: "spki" | "pkcs1", minRsaBits: number): Result.Result<KeyObject, KeyRefused> =>
  Result.try({
    try: () => createPublicKey({ key: Buffer.from(der), format: "der", type }),
    catch: () => new KeyRefused({ why: "the key is malformed" })
  }).pipe(Result.flatMap((key) => withinLimits(key, minRsaBits)))

const pem = /^\s*-----BEGIN (RSA )?PUBLIC KEY-----([A-Za-z0-9+/=\s]+)-----END \1PUBLIC KEY-----\s*$/

/** A public key in PEM, as `publicKeyPem` has it: SPKI (RSA or Ed25519) or PKCS#1. Nothing else that PEM may hold is read. */
export const fromPem = (text: string, minRsaBits = usualRsaBits): Result.Result<KeyObject, KeyRefused> => {
  if (text.length > longestKey) return refuse("the key is too long")
  const found = pem.exec(text)
  const der = found === null ? undefined : readBase64((found[2] ?? "").replaceAll(/\s+/g, ""))
  if (found === null || der === undefined) return refuse("the key is malformed")
  return fromDer(der, found[1] === undefined ? "spki" : "pkcs1", minRsaBits)
}

/** Multicodec prefixes (unsigned varints of 0xed and 0x1205). */
const codecs = { ed25519: [0xed, 0x01], rsa: [0x85, 0x24] } as const
const startsWith = (bytes: Uint8Array, prefix: ReadonlyArray<number>) => prefix.every((byte, at) => bytes[at] === byte)

/** SPKI of an Ed25519 key is these bytes and the 32 of the key (RFC 8410, 4). */
const ed25519Spki = Buffer.from("302a300506032b6570032100", "hex")

/** A public key of a Multikey (FEP-521a, `publicKeyMultibase`): base58btc of a multicodec, Ed25519 or RSA. */
export const fromMultibase = (text: string, minRsaBits = usualRsaBits): Result.Result<KeyObject, KeyRefused> => {
  if (text.length > longestKey / 2) return refuse("the key is too long")
  const bytes = text.startsWith("z") ? decodeBase58(text.slice(1)) : undefined
  if (bytes === undefined) return refuse("the key is not in base58btc")
  if (startsWith(bytes, codecs.rsa)) return fromDer(bytes.subarray(2), "pkcs1", minRsaBits)
  if (!startsWith(bytes, codecs.ed25519)) return refuse("the key is neither RSA nor Ed25519")
  if (bytes.length !== 34) return refuse("the key is malformed")
  return fromDer(Buffer.concat([ed25519Spki, bytes.subarray(2)]), "spki", minRsaBits)
}

/** A public key of ours as `publicKeyMultibase` (FEP-521a). */
export const toMultibase = (key: KeyObject): string => {
  const [prefix, bytes] =
    key.asymmetricKeyType === "ed25519"
      ? [codecs.ed25519, key.export({ format: "der", type: "spki" }).subarray(ed25519Spki.length)]
      : [codecs.rsa, key.export({ format: "der", type: "pkcs1" })]
  return `z${encodeBase58(Buffer.concat([Buffer.from(prefix), bytes]))}`
}
