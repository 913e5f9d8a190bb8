import { randomBytes } from "node:crypto"
import { hashToken } from "../session/TokenHash.ts"
import { toBase32 } from "./Totp.ts"

/** How many a user gets at once. */
export const recoveryCodes = 10

/** 80 random bits make 16 letters and digits. */
const bytes = 10
const shape = /^[a-z2-7]{16}$/

/** A code as people copy it: four groups of four lower-case letters and digits. */
export const newRecoveryCode = (): string =>
  toBase32(randomBytes(bytes))
    .toLowerCase()
    .replaceAll(/.{4}(?=.)/g, "$&-")

/** What is kept of a code, however it was typed; undefined when it does not look like one. */
export const recoveryDigest = (code: string): Uint8Array | undefined => {
  const text = code.length > 40 ? "" : code.replaceAll(/[\s-]/g, "").toLowerCase()
  return shape.test(text) ? hashToken(text) : undefined
}
