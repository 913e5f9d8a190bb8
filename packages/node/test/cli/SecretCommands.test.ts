import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { databaseLayer } from "../../src/cli/DatabaseLayer.ts"
import { checkSecrets } from "../../src/cli/DoctorSecrets.ts"
import { KinoraConfig } from "../../src/platform/config/Config.ts"
import { checkSetting } from "../../src/platform/secrets/KeyCheck.ts"
import { boxOf } from "../../src/platform/secrets/SecretBox.ts"
import { dataFolder, runCli } from "./RunCli.ts"

const slow = 120_000

const withDatabase = <A, E, R>(directory: string, effect: Effect.Effect<A, E, R>) => {
  const config = KinoraConfig.layerTest({ data_dir: directory })
  return Effect.provide(effect, databaseLayer.pipe(Layer.provideMerge(config)))
}

it.layer(NodeServices.layer, { excludeTestServices: true })("an operator", (it) => {
  it.effect(
    "switches second factors off, and is told by doctor about the secret key",
    () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const directory = yield* dataFolder
        const env = { KINORA_DATA_DIR: directory }
        const made = yield* runCli(["users", "create", "ada", "--email", "ada@example.com"], { env })
        assert.strictEqual(made.code, 0, made.err)
        const disable = (name: string) => runCli(["users", "disable-two-factor", name], { env })
        assert.include((yield* disable("ada")).out, "has no second factor")
        const nobody = yield* disable("nobody")
        assert.strictEqual(nobody.code, 1)
        assert.include(nobody.err, "There is no user nobody")

        yield* withDatabase(
          directory,
          Effect.gen(function* () {
            const sql = yield* SqlClient
            yield* sql`update app_user set otp_secret = '1.lost', otp_last_step = 7 where username = 'ada'`
            assert.include((yield* disable("Ada")).out, "with the password alone")
            const rows = yield* sql`select otp_secret, otp_last_step from app_user where username = 'ada'`
            assert.deepStrictEqual(rows, [{ otp_secret: null, otp_last_step: null }])

            const file = `${directory}/secret.key`
            const doctor = Effect.map(checkSecrets, (findings) => findings.map((it) => `${it.level}: ${it.detail}`))
            assert.deepStrictEqual(yield* doctor, [
              `good: ${file} is made at the first start: back it up with the database`
            ])
            assert.isFalse(yield* fs.exists(file))
            const check = boxOf(Buffer.from("the key")).seal("kinora", "key check")
            yield* sql`insert into instance_setting (key, value) values (${checkSetting}, to_jsonb(${check}::text))`
            assert.deepStrictEqual(yield* doctor, [`failure: ${file} is missing`])
            yield* fs.writeFileString(file, "the key\n", { mode: 0o600 })
            assert.deepStrictEqual(yield* doctor, [`good: ${file} is the key of this instance`])
            yield* fs.writeFileString(file, "a new key\nthe key\n")
            assert.deepStrictEqual(yield* doctor, [`warning: ${file} is a new key`])
            yield* fs.writeFileString(file, "another key\n")
            assert.deepStrictEqual(yield* doctor, [`failure: ${file} is not the key of this instance`])
            yield* fs.writeFileString(file, "the key\n")
            yield* fs.chmod(file, 0o644)
            assert.deepStrictEqual(yield* doctor, [
              `good: ${file} is the key of this instance`,
              `warning: ${file} can be read by others`
            ])
          })
        )
        const away = KinoraConfig.layerTest({ data_dir: directory, database: { url: "postgres://127.0.0.1:1/none" } })
        const [finding] = yield* Effect.provide(checkSecrets, away)
        assert.deepInclude(finding, { level: "warning", detail: `${directory}/secret.key was not tried` })
      }),
    slow
  )
})
