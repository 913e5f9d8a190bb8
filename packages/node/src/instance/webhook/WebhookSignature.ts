import { createHmac, randomBytes } from "node:crypto"

const prefix = "whsec_"
const keyBytes = 32

/** A new secret, as Standard Webhooks writes it. */
export const newSecret = (): string => prefix + randomBytes(keyBytes).toString("base64")

/**
 * The headers of a message, signed by the form of Standard Webhooks: HMAC-SHA256 with the key behind `whsec_` over id,
 * time and body; one signature for each secret. `seconds` is the time of this attempt since 1970, by which the receiver refuses what is replayed by others.
 */
export const signedHeaders = (message: {
  readonly id: string
  readonly seconds: number
  readonly body: string
  readonly secrets: ReadonlyArray<string>
}): Readonly<Record<string, string>> => {
  const { body, id, seconds, secrets } = message
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), "base64")
    return `v1,${createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64")}`
  })
  return { "webhook-id": id, "webhook-timestamp": String(seconds), "webhook-signature": signatures.join(" ") }
}
