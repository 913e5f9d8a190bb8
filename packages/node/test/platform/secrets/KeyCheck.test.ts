import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { InstanceSettings } from "@kinora/storage/instance/installation/InstanceSettings"
import { SealedRows } from "@kinora/storage/people/two-factor/SealedRows"
import { UserRows } from "@kinora/storage/people/user/UserRows"
import { Effect, FileSystem, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { newUser } from "../../../../storage/test/people/user/NewUsers.ts"
import { TestDatabase } from "../../../../storage/test/support/TestDatabase.ts"
import { KinoraConfig } from "../../../src/platform/config/Config.ts"
import { checkSetting, KeyCheck } from "../../../src/platform/secrets/KeyCheck.ts"
import { SecretBox } from "../../../src/platform/secrets/SecretBox.ts"

const world = Layer.mergeAll(UserRows.layer, InstanceSettings.layer, SealedRows.layer).pipe(
  Layer.provideMerge(TestDatabase),
  Layer.provideMerge(NodeServices.layer)
)

/** Does something as a node whose key file has these lines. */
const withKeys = <A, E, R>(keys: ReadonlyArray<string>, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const directory = yield* fs.makeTempDirectoryScoped()
    yield* fs.writeFileString(`${directory}/secret.key`, keys.join("\n"))
    const node = KeyCheck.layer.pipe(
      Layer.provideMerge(SecretBox.layer),
      Layer.provide(KinoraConfig.layerTest({ data_dir: directory }))
    )
    return yield* Effect.provide(effect, node)
  })

/** Level and text of what the check logs. */
const told = (keys: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const logger = Logger.make(({ logLevel, message }) => void lines.push(`${logLevel}: ${String(message)}`))
    yield* withKeys(
      keys,
      Effect.flatMap(KeyCheck, (check) => check.run)
    ).pipe(Effect.provide(Logger.layer([logger])))
    return lines
  })

const opens = (keys: ReadonlyArray<string>, column: string, username: string) =>
  withKeys(
    keys,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const box = yield* SecretBox
      const rows = yield* sql<{ sealed: string }>`
        select ${sql(column)} as sealed from app_user where username = ${username}`
      const purpose = column === "otp_secret" ? "one-time password" : "feed token"
      return (yield* Effect.result(box.open(rows[0]!.sealed, purpose)))._tag === "Success"
    })
  )

layer(world)("the secret key", (it) => {
  it.effect("is followed when it changes, and missed when it is lost", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const users = yield* UserRows
      for (const name of ["ada", "bob"]) yield* users.create(newUser(name))
      assert.deepStrictEqual(yield* told(["first"]), [])
      assert.deepStrictEqual(yield* told(["first"]), [])
      yield* withKeys(
        ["first"],
        Effect.gen(function* () {
          const box = yield* SecretBox
          yield* sql`update app_user set feed_token = ${box.seal("a", "feed token")}`
          yield* sql`
            insert into webhook (url, events, sealed_secret)
            values ('https://receiver.example/', '{}', ${box.seal("w", "webhook secret")})`
          yield* sql`
            update app_user set otp_secret = ${box.seal("AAAA", "one-time password")} where username = 'ada'`
        })
      )

      // Lost: told each time, and nothing is changed, so that the key can come back.
      for (let i = 0; i < 2; i++) {
        const lost = yield* told(["other"])
        assert.lengthOf(lost, 1)
        assert.match(lost[0]!, /^Error: .*1 users with a second factor cannot log in/)
      }
      assert.deepStrictEqual(yield* told(["first"]), [])
      assert.isTrue(yield* opens(["first"], "otp_secret", "ada"))

      // Rotated: everything is sealed anew, after which the former key is not needed.
      const rotated = yield* told(["second", "first"])
      assert.match(rotated[0]!, /^Info: 4 values encrypted with earlier keys/)
      assert.match(rotated[1]!, /^Warn: The secret key is another one/)
      // A node with the former key went on for a while.
      yield* withKeys(
        ["first"],
        Effect.gen(function* () {
          const box = yield* SecretBox
          yield* sql`update app_user set feed_token = ${box.seal("b", "feed token")} where username = 'bob'`
        })
      )
      assert.match((yield* told(["second", "first"])).join(), /^Info: 1 values encrypted with earlier keys[^,]*$/)
      assert.deepStrictEqual(yield* told(["second", "first"]), [])
      assert.deepStrictEqual(yield* told(["second"]), [])
      assert.isTrue(yield* opens(["second"], "otp_secret", "ada"))
      for (const name of ["ada", "bob"]) assert.isTrue(yield* opens(["second"], "feed_token", name))
      const [webhook] = yield* sql<{ sealed: string }>`select sealed_secret as sealed from webhook`
      const opened = Effect.flatMap(SecretBox, (box) => box.open(webhook!.sealed, "webhook secret"))
      assert.strictEqual(yield* withKeys(["second"], opened), "w")

      // Given up: once no second factor needs the lost key, the present one is the instance's.
      yield* sql`update app_user set otp_secret = null`
      assert.match((yield* told(["third"])).join(), /^Warn: The secret key is another one/)
      assert.deepStrictEqual(yield* told(["third"]), [])
      const settings = yield* InstanceSettings
      assert.notInclude(JSON.stringify(yield* settings.text(checkSetting)), "kinora")
    })
  )
})
