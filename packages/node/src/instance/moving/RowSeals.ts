import type { Transforms } from "@kinora/storage/instance/moving/MovingRows"
import { Effect, Redacted } from "effect"
import { createPrivateKey } from "node:crypto"
import { keyDigest } from "../../live/key/LiveKeys.ts"
import { isBcrypt } from "../../people/session/PasswordHash.ts"
import { hashToken } from "../../people/session/TokenHash.ts"
import { SecretBox } from "../../platform/secrets/SecretBox.ts"

type Row = Readonly<Record<string, unknown>>

const each =
  (change: (row: Row) => Row) =>
  (rows: ReadonlyArray<string>): ReadonlyArray<string> =>
    rows.map((row) => JSON.stringify(change(JSON.parse(row) as Row)))

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

/** A private key as ours are kept, PKCS #8; one that cannot be read is none. */
const pkcs8 = (pem: unknown): string | null => {
  try {
    return createPrivateKey(text(pem) ?? "")
      .export({ type: "pkcs8", format: "pem" })
      .toString()
  } catch {
    return null
  }
}

/** A hash that a login can be verified with; null: the user asks for a new password. */
const verifiable = (hash: unknown): string | null => {
  const known = text(hash)
  return known !== undefined && isBcrypt(known) ? known : null
}

const base32 = /^[A-Z2-7]{16,}$/

/** Values that are sealed, digested or converted before they are stored. */
export const rowSeals = Effect.gen(function* () {
  const box = yield* SecretBox

  const user = (row: Row): Row => {
    const feed = text(row["feedToken"])
    const otp = text(row["otpSecret"])?.replace(/=+$/, "")
    return {
      ...row,
      password: verifiable(row["password"]),
      sealedOtp: otp !== undefined && base32.test(otp) ? box.seal(otp, "one-time password") : null,
      sealedFeed: feed === undefined ? null : box.seal(feed, "feed token"),
      feedHash: feed === undefined ? null : Buffer.from(hashToken(feed)).toString("hex")
    }
  }

  const live = (row: Row): Row => {
    const key = text(row["streamKey"])
    return {
      ...row,
      sealedKey: key === undefined ? null : box.seal(key, "stream key"),
      keyDigest: key === undefined ? null : Buffer.from(keyDigest(Redacted.make(key))).toString("hex")
    }
  }

  const seals: Transforms = {
    actor: each((row) => ({ ...row, privateKey: row["serverId"] === null ? pkcs8(row["privateKey"]) : null })),
    user: each(user),
    live: each(live),
    registration: each((row) => ({ ...row, password: verifiable(row["password"]) }))
  }
  return seals
})
