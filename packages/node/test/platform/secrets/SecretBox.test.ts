import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, Option } from "effect"
import { KinoraConfig, type Overrides } from "../../../src/platform/config/Config.ts"
import { SecretBox } from "../../../src/platform/secrets/SecretBox.ts"

const box = (overrides: Overrides) =>
  Layer.fresh(SecretBox.layer).pipe(
    Layer.provide(KinoraConfig.layerTest(overrides)),
    Layer.provideMerge(NodeServices.layer)
  )

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
      const changed = `${sealed.slice(0, 10)}${sealed[10] === "A" ? "B" : "A"}${sealed.slice(11)}`
      for (const wrong of [sealed.slice(0, -2), changed, "", "1.", "2.AAAA"]) {
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
    const other = box({ data_dir: yield* folder, secrets: { peertube: "x".repeat(40) } })
    assert.strictEqual((yield* Effect.flip(Effect.provide(again, other)))._tag, "CannotOpen")
  }).pipe(Effect.provide(NodeServices.layer))
)

it.effect("former keys open what they sealed, and it can be sealed with the present one", () =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const directory = yield* folder
    const file = `${directory}/secret.key`
    const data = { data_dir: directory }
    const sealing = (text: string) => Effect.map(SecretBox, (secrets) => secrets.seal(text, "feed token"))
    const first = yield* Effect.provide(sealing("of the first key"), box(data))
    yield* fs.writeFileString(file, `the second key\n\n${yield* fs.readFileString(file)}`)
    yield* Effect.gen(function* () {
      const secrets = yield* SecretBox
      assert.strictEqual(yield* secrets.open(first, "feed token"), "of the first key")
      const renewed = Option.getOrThrow(yield* secrets.renew(first, "feed token"))
      assert.isTrue(Option.isNone(yield* secrets.renew(renewed, "feed token")))
      assert.strictEqual((yield* Effect.flip(secrets.renew("1.AAAA", "feed token")))._tag, "CannotOpen")
      yield* fs.writeFileString(file, "the second key")
      const later = yield* Effect.provide(SecretBox, box(data))
      assert.strictEqual(yield* later.open(renewed, "feed token"), "of the first key")
      assert.strictEqual((yield* Effect.flip(later.open(first, "feed token")))._tag, "CannotOpen")
      const configured = yield* Effect.provide(SecretBox, box({ ...data, secrets: { peertube: "configured key" } }))
      assert.strictEqual(yield* configured.open(renewed, "feed token"), "of the first key")
      assert.isTrue(Option.isSome(yield* configured.renew(renewed, "feed token")))
    }).pipe(Effect.provide(box(data)))
  }).pipe(Effect.provide(NodeServices.layer))
)

it.effect("a key file without a key is refused, and not taken for a new instance's", () =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const directory = yield* folder
    yield* fs.writeFileString(`${directory}/secret.key`, "\n")
    const exit = yield* Effect.exit(Effect.provide(SecretBox, box({ data_dir: directory })))
    assert.include(String(exit), "is empty")
    assert.strictEqual(yield* fs.readFileString(`${directory}/secret.key`), "\n")
  }).pipe(Effect.provide(NodeServices.layer))
)
