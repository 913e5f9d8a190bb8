import { Context, Data, Effect, FileSystem, Layer, Path, Redacted } from "effect"
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto"
import { KinoraConfig } from "../config/Config.ts"

/** What is sealed; a text sealed for one purpose does not open for another. */
export type SealedFor = "one-time password" | "feed token" | "mail" | "runner token"

/** The text was sealed with another key, or was changed. */
export class CannotOpen extends Data.TaggedError("CannotOpen")<{ readonly purpose: SealedFor }> {}

const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16
const version = "1."

/** The configured secret, or a key of our own in `<data_dir>/secret.key` that only the node's user may read. */
const secret = Effect.gen(function* () {
  const config = yield* KinoraConfig
  const configured = Redacted.value(config.secrets.peertube)
  if (configured !== "") return Buffer.from(configured)
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const file = path.join(config.derived.dataDir, "secret.key")
  if (!(yield* fs.exists(file))) {
    yield* fs.makeDirectory(config.derived.dataDir, { recursive: true })
    // Written whole beside its place and linked: of two nodes that start at once, one wins and both read the same.
    const draft = `${file}.${randomBytes(6).toString("hex")}`
    yield* fs.writeFileString(draft, `${randomBytes(keyBytes).toString("base64url")}\n`, { mode: 0o600 })
    yield* Effect.ignore(fs.link(draft, file))
    yield* fs.remove(draft)
  }
  return Buffer.from((yield* fs.readFileString(file)).trim())
})

/**
 * Seals what must be told again later and so cannot be hashed: AES-256-GCM with a key of its own for each purpose (HKDF,
 * RFC 5869). Sealed texts are `1.` and base64url of nonce, ciphertext and tag.
 */
export class SecretBox extends Context.Service<
  SecretBox,
  {
    readonly seal: (text: string, purpose: SealedFor) => string
    readonly open: (sealed: string, purpose: SealedFor) => Effect.Effect<string, CannotOpen>
  }
>()("@kinora/node/secrets/SecretBox") {
  static readonly layer = Layer.effect(
    SecretBox,
    Effect.gen(function* () {
      const root = yield* Effect.orDie(secret)
      const keys = new Map<SealedFor, Buffer>()
      const keyFor = (purpose: SealedFor): Buffer => {
        const known = keys.get(purpose)
        if (known !== undefined) return known
        const made = Buffer.from(hkdfSync("sha256", root, "kinora", purpose, keyBytes))
        keys.set(purpose, made)
        return made
      }

      const seal = (text: string, purpose: SealedFor): string => {
        const nonce = randomBytes(nonceBytes)
        const cipher = createCipheriv("aes-256-gcm", keyFor(purpose), nonce)
        const sealed = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()])
        return version + sealed.toString("base64url")
      }

      const open = (sealed: string, purpose: SealedFor) =>
        Effect.try({
          try: () => {
            const bytes = Buffer.from(sealed.slice(version.length), "base64url")
            if (!sealed.startsWith(version) || bytes.length < nonceBytes + tagBytes) throw new Error("not sealed")
            const decipher = createDecipheriv("aes-256-gcm", keyFor(purpose), bytes.subarray(0, nonceBytes))
            decipher.setAuthTag(bytes.subarray(-tagBytes))
            return decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, "utf8") + decipher.final("utf8")
          },
          catch: () => new CannotOpen({ purpose })
        })

      return SecretBox.of({ seal, open })
    })
  )
}
