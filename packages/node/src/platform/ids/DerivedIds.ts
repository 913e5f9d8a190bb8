import { createHash, randomBytes } from "node:crypto"

/** A random id: 48 hexadecimal digits. */
export const newUploadId = (): string => randomBytes(24).toString("hex")

/**
 * A UUID derived from an upload's id, which it does not reveal. It is marked as version 4 although it is a digest:
 * other instances and clients refuse video ids that do not look random. So a repeated attempt to finish an upload uses
 * the same video and the same files.
 */
export const uuidOf = (seed: string, purpose: string): string => {
  const hex = createHash("sha256").update(`${purpose}\u0000${seed}`).digest("hex")
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
