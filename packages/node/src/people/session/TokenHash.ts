import { hash } from "node:crypto"

/** The format of our tokens. Anything else is refused without a query. */
const tokenPattern = /^[0-9a-f]{40}$/

export const isTokenShaped = (token: string): boolean => tokenPattern.test(token)

/** SHA-256 of a token, the only form in which it is stored. */
export const hashToken = (token: string): Uint8Array => hash("sha256", token, "buffer")
