import { randomBytes, randomInt } from "node:crypto"

const lowerAndDigits = "abcdefghijklmnopqrstuvwxyz0123456789"
const lettersAndDigits = `${lowerAndDigits}ABCDEFGHIJKLMNOPQRSTUVWXYZ`
/** Without letters and digits that look alike, since people copy generated passwords by hand. */
const readable = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"

const pick = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join("")

/** 32 lower-case letters and digits (contract: client_id). */
export const newClientId = (): string => pick(lowerAndDigits, 32)

/** 32 letters and digits (contract: client_secret). */
export const newClientSecret = (): string => pick(lettersAndDigits, 32)

/** 20 letters and digits, about 116 bits. */
export const newPassword = (): string => pick(readable, 20)

/** 160 random bits in hexadecimal: an access or refresh token. */
export const newToken = (): string => randomBytes(20).toString("hex")

/** 43 letters and digits, 256 bits, for links in mails: other characters are sometimes cut off or broken there. */
export const newLinkToken = (): string => pick(lettersAndDigits, 43)

/** 256 random bits, base64url: a signing secret. */
export const newSecret = (): string => randomBytes(32).toString("base64url")
