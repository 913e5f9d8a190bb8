import { generateKeyPairSync, sign } from "node:crypto"

/** One value of DER (X.690). */
const der = (tag: number, ...content: ReadonlyArray<Buffer>): Buffer => {
  const body = Buffer.concat(content)
  const length =
    body.length < 0x80
      ? Buffer.from([body.length])
      : body.length < 0x100
        ? Buffer.from([0x81, body.length])
        : Buffer.from([0x82, body.length >> 8, body.length & 0xff])
  return Buffer.concat([Buffer.from([tag]), length, body])
}

const sequence = (...content: ReadonlyArray<Buffer>) => der(0x30, ...content)
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"))
const ecdsaWithSha256 = sequence(oid("2a8648ce3d040302"))
const nameOf = (common: string) => sequence(der(0x31, sequence(oid("550403"), der(0x0c, Buffer.from(common)))))
const time = (date: Date) => der(0x18, Buffer.from(`${date.toISOString().replaceAll(/[-:T]|\.\d+/g, "")}`))

const pem = (bytes: Buffer): string =>
  ["-----BEGIN CERTIFICATE-----", ...(bytes.toString("base64").match(/.{1,64}/g) ?? []), "-----END CERTIFICATE-----"]
    .map((line) => `${line}\n`)
    .join("")

/** A self-signed certificate (RFC 5280) for names and IPv4 addresses, valid for a day around now. */
export const selfSigned = (names: ReadonlyArray<string>): { readonly key: string; readonly cert: string } => {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const alternatives = names.map((name) =>
    /^[\d.]+$/.test(name) ? der(0x87, Buffer.from(name.split(".").map(Number))) : der(0x82, Buffer.from(name))
  )
  const issuer = nameOf(names[0] ?? "test")
  const now = Date.now()
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    issuer,
    sequence(time(new Date(now - 86_400_000)), time(new Date(now + 86_400_000))),
    issuer,
    publicKey.export({ type: "spki", format: "der" }),
    der(
      0xa3,
      sequence(
        sequence(oid("551d11"), der(0x04, sequence(...alternatives))),
        sequence(oid("551d13"), der(0x01, Buffer.from([0xff])), der(0x04, sequence(der(0x01, Buffer.from([0xff])))))
      )
    )
  )
  const signature = sign("sha256", body, privateKey)
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: pem(sequence(body, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature)))
  }
}
