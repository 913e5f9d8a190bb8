import { Context, Data, Effect, Layer, Option } from "effect"
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto"
import { ensureKeys } from "./SecretKeys.ts"

/** Purposes of sealed texts. A text sealed for one purpose does not open for another. */
export type SealedFor =
  | "one-time password"
  | "feed token"
  | "stream key"
  | "mail"
  | "runner token"
  | "key check"
  | "unsubscribe link"
  | "webhook secret"

/** The text was sealed with another key, or was changed. */
export class CannotOpen extends Data.TaggedError("CannotOpen")<{ readonly purpose: SealedFor }> {}

const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16
const version = "1."

/** Seals and opens with one root key. */
export const boxOf = (root: Uint8Array) => {
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

  /** Undefined if it was sealed with another key or for another purpose, or was changed. */
  const open = (sealed: string, purpose: SealedFor): string | undefined => {
    const bytes = Buffer.from(sealed.slice(version.length), "base64url")
    if (!sealed.startsWith(version) || bytes.length < nonceBytes + tagBytes) return undefined
    const decipher = createDecipheriv("aes-256-gcm", keyFor(purpose), bytes.subarray(0, nonceBytes))
    decipher.setAuthTag(bytes.subarray(-tagBytes))
    const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, "utf8")
    try {
      return text + decipher.final("utf8")
    } catch {
      return undefined
    }
  }

  return { seal, open }
}

/**
 * Encrypts values that must be read again and so cannot be hashed: AES-256-GCM with a separate key for each purpose
 * (HKDF, RFC 5869). Sealed texts are `1.` and base64url of nonce, ciphertext and tag. The first key seals; former ones
 * open what they sealed (docs/secrets.md).
 */
export class SecretBox extends Context.Service<
  SecretBox,
  {
    /** Whether there are former keys. */
    readonly hasFormerKeys: boolean
    readonly seal: (text: string, purpose: SealedFor) => string
    readonly open: (sealed: string, purpose: SealedFor) => Effect.Effect<string, CannotOpen>
    /** The same text sealed with the present key. None if it already is. */
    readonly renew: (sealed: string, purpose: SealedFor) => Effect.Effect<Option.Option<string>, CannotOpen>
  }
>()("@kinora/node/secrets/SecretBox") {
  static readonly layer = Layer.effect(
    SecretBox,
    Effect.gen(function* () {
      const [present, ...former] = (yield* Effect.orDie(ensureKeys)).map(boxOf)

      const open = (sealed: string, purpose: SealedFor) =>
        Effect.suspend(() => {
          for (const box of [present!, ...former]) {
            const text = box.open(sealed, purpose)
            if (text !== undefined) return Effect.succeed(text)
          }
          return Effect.fail(new CannotOpen({ purpose }))
        })

      return SecretBox.of({
        hasFormerKeys: former.length > 0,
        seal: present!.seal,
        open,
        renew: (sealed, purpose) =>
          present!.open(sealed, purpose) === undefined
            ? Effect.map(open(sealed, purpose), (text) => Option.some(present!.seal(text, purpose)))
            : Effect.succeedNone
      })
    })
  )
}
