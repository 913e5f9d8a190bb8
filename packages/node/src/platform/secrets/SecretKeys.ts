import { Effect, FileSystem, Path, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { KinoraConfig } from "../config/Config.ts"

const keyBytes = 32

/** The file of the key if the configuration has none (`secrets.peertube`). */
export const keyFile = Effect.gen(function* () {
  const config = yield* KinoraConfig
  const path = yield* Path.Path
  return path.join(config.derived.dataDir, "secret.key")
})

/**
 * The existing keys: the configured one and then each line of `<data_dir>/secret.key`. The first one seals; the others
 * open what they sealed. Empty on a new instance.
 */
export const readKeys = Effect.gen(function* () {
  const config = yield* KinoraConfig
  const fs = yield* FileSystem.FileSystem
  const file = yield* keyFile
  const text = (yield* fs.exists(file)) ? yield* fs.readFileString(file) : ""
  const lines = text.split("\n").map((line) => line.trim())
  return [Redacted.value(config.secrets.peertube), ...lines]
    .filter((key) => key !== "")
    .map((key): Uint8Array => Buffer.from(key))
})

/** The same, but creates a key if there is none, in a file that only the node's user may read. Never empty. */
export const ensureKeys = Effect.gen(function* () {
  const known = yield* readKeys
  if (known.length > 0) return known
  const config = yield* KinoraConfig
  const fs = yield* FileSystem.FileSystem
  const file = yield* keyFile
  yield* fs.makeDirectory(config.derived.dataDir, { recursive: true })
  // Written completely under another name and then linked: if two nodes start at once, one wins and both read the same
  // key.
  const draft = `${file}.${randomBytes(6).toString("hex")}`
  yield* fs.writeFileString(draft, `${randomBytes(keyBytes).toString("base64url")}\n`, { mode: 0o600 })
  yield* Effect.ignore(fs.link(draft, file))
  yield* fs.remove(draft)
  const made = yield* readKeys
  return made.length > 0 ? made : yield* Effect.die(new Error(`${file} is empty: remove it, or bring its key back.`))
})
