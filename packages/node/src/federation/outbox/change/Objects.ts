import { Effect, Schema } from "effect"
import { createHash } from "node:crypto"

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.JsonObject))

/** The object of a JSON text that the database made. */
export const objectOf = (text: string) => Effect.orDie(decode(text))

/** What is compared with what was sent last. */
export const digestOf = (...texts: ReadonlyArray<string>): string => {
  const hash = createHash("sha256")
  for (const text of texts) hash.update(text)
  return hash.digest("hex")
}
