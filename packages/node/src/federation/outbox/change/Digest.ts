import { createHash } from "node:crypto"

/** What is compared with what was sent last. */
export const digestOf = (...texts: ReadonlyArray<string>): string => {
  const hash = createHash("sha256")
  for (const text of texts) hash.update(text)
  return hash.digest("hex")
}
