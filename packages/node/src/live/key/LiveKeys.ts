import type { StoredKey } from "@kinora/storage/live/LiveRows"
import { Context, Effect, Layer, type Option, Redacted } from "effect"
import { createHash, randomUUID } from "node:crypto"
import { SecretBox } from "../../platform/secrets/SecretBox.ts"

/** Longer texts are no key of ours. */
const longest = 200

/** What a key is found by. */
export const keyDigest = (key: Redacted.Redacted<string>): Uint8Array =>
  createHash("sha256").update(Redacted.value(key).slice(0, longest)).digest()

/** Keys that open a live for its publisher: random, and kept sealed. */
export class LiveKeys extends Context.Service<
  LiveKeys,
  {
    readonly make: Effect.Effect<StoredKey>
    /** None: it was sealed with a secret of the instance that is gone. */
    readonly open: (sealed: string) => Effect.Effect<Option.Option<string>>
  }
>()("@kinora/node/live/video/LiveKeys") {
  static readonly layer = Layer.effect(
    LiveKeys,
    Effect.gen(function* () {
      const box = yield* SecretBox
      return LiveKeys.of({
        make: Effect.sync(() => {
          const key = randomUUID()
          return { digest: keyDigest(Redacted.make(key)), sealed: box.seal(key, "stream key") }
        }),
        open: (sealed) => Effect.option(box.open(sealed, "stream key"))
      })
    })
  )
}
