import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import { KinoraConfig, type Overrides } from "../../src/config/Config.ts"
import { SecretBox } from "../../src/secrets/SecretBox.ts"

const box = (overrides: Overrides) =>
  SecretBox.layer.pipe(Layer.provide(KinoraConfig.layerTest(overrides)), Layer.provideMerge(NodeServices.layer))

const folder = Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped()).pipe(
  Effect.provide(NodeServices.layer)
)

it.effect("what is sealed opens for its purpose only, and not when it was changed", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* Effect.gen(function* () {
      const secrets = yield* SecretBox
      const sealed = secrets.seal("a secret", "one-time password")
      assert.notInclude(sealed, "a secret")
      assert.notStrictEqual(sealed, secrets.seal("a secret", "one-time password"))
      assert.strictEqual(yield* secrets.open(sealed, "one-time password"), "a secret")
      for (const wrong of [sealed.slice(0, -2), `${sealed.slice(0, 10)}A${sealed.slice(11)}`, "", "1.", "2.AAAA"]) {
        assert.strictEqual((yield* Effect.flip(secrets.open(wrong, "one-time password")))._tag, "CannotOpen")
      }
      assert.strictEqual((yield* Effect.flip(secrets.open(sealed, "mail")))._tag, "CannotOpen")
    }).pipe(Effect.provide(box({ data_dir: directory })))
  })
)

it.effect("the key is made once, readable by its owner only, and found again; another key opens nothing", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const data = { data_dir: directory }
    const sealed = yield* Effect.provide(
      Effect.map(SecretBox, (secrets) => secrets.seal("kept", "feed token")),
      box(data)
    )
    const again = Effect.flatMap(SecretBox, (secrets) => secrets.open(sealed, "feed token"))
    assert.strictEqual(yield* Effect.provide(again, box(data)), "kept")
    const fs = yield* FileSystem.FileSystem
    assert.strictEqual((yield* fs.stat(`${directory}/secret.key`)).mode & 0o777, 0o600)
    const other = box({ ...data, secrets: { peertube: "x".repeat(40) } })
    assert.strictEqual((yield* Effect.flip(Effect.provide(again, other)))._tag, "CannotOpen")
  }).pipe(Effect.provide(NodeServices.layer))
)
