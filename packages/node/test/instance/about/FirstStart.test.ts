import { assert, describe, it } from "@effect/vitest"
import { Console, Effect, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Installation } from "@kinora/storage/instance/installation/Installation"
import { LoginRows } from "@kinora/storage/people/session/LoginRows"
import { UserRows } from "@kinora/storage/people/user/UserRows"
import { TestDatabase } from "../../../../storage/test/support/TestDatabase.ts"
import { KinoraConfig, type Overrides } from "../../../src/platform/config/Config.ts"
import { firstStart } from "../../../src/instance/about/FirstStart.ts"
import { Passwords } from "../../../src/people/session/Passwords.ts"
import { Users } from "../../../src/people/user/Users.ts"

/** Everything that `effect` writes to the terminal, and everything it logs. */
const watched = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const written: Array<string> = []
  const logged: Array<string> = []
  const terminal = new Proxy(yield* Console.Console, {
    get: (target, name, receiver) =>
      name === "error" ? (text: string) => void written.push(text) : (Reflect.get(target, name, receiver) as unknown)
  })
  const logger = Logger.make(({ message }) => void logged.push(JSON.stringify(message)))
  yield* Effect.scoped(effect).pipe(
    Effect.provideService(Console.Console, terminal),
    Effect.provide(Logger.layer([logger]))
  )
  return { written: written.join("\n"), logged: logged.join("\n") }
})

const services = (overrides: Overrides) =>
  Users.layer.pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        UserRows.layer,
        LoginRows.layer,
        Installation.layer,
        Passwords.layer,
        KinoraConfig.layerTest(overrides)
      )
    ),
    Layer.provideMerge(TestDatabase)
  )

describe("First start", () => {
  it.live("makes the administrator and shows a generated password once, on the terminal alone", () =>
    Effect.gen(function* () {
      // Once, whether it was asked for or the node ends before.
      const first = yield* watched(Effect.flatMap(firstStart, ({ show }) => Effect.andThen(show, show)))
      assert.strictEqual(first.written.split("This is shown only now").length, 2)
      const password = /password\s+(\S+)/.exec(first.written)?.[1] ?? ""
      assert.match(password, /^[A-Za-z0-9]{20}$/)
      assert.notInclude(first.logged, password)
      const stored = yield* Effect.flatMap(LoginRows, (rows) => rows.find("root"))
      assert.isTrue(stored._tag === "Some" && (yield* (yield* Passwords).verify(password, stored.value.passwordHash)))
      const sql = yield* SqlClient
      const actors = yield* sql<{ name: string; type: string }>`
        select preferred_username as name, type from actor order by name`
      assert.deepStrictEqual(actors, [
        { name: "peertube", type: "Application" },
        { name: "root", type: "Person" },
        { name: "root_channel", type: "Group" }
      ])
      yield* sql`delete from app_user where username = 'root'`
      assert.strictEqual((yield* watched(firstStart)).written, "")
      assert.strictEqual((yield* sql`select 1 from app_user`).length, 0)
    }).pipe(Effect.provide(services({})))
  )

  it.live("shows it also when the node ends before it serves anything", () =>
    Effect.gen(function* () {
      const { written } = yield* watched(firstStart)
      assert.match(written, /password\s+[A-Za-z0-9]{20}/)
    }).pipe(Effect.provide(services({})))
  )

  it.live("takes the configured password without showing it, and refuses one that cannot be used", () =>
    Effect.gen(function* () {
      const { logged, written } = yield* watched(firstStart)
      assert.notInclude(written + logged, "a chosen password")
      const stored = yield* Effect.flatMap(LoginRows, (rows) => rows.find("root"))
      assert.isTrue(
        stored._tag === "Some" && (yield* (yield* Passwords).verify("a chosen password", stored.value.passwordHash))
      )
    }).pipe(Effect.provide(services({ root: { password: "a chosen password" } })))
  )

  it.live("refuses a password that cannot be used, and leaves nothing behind", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* Effect.flip(Effect.scoped(firstStart)))._tag, "UserInvalid")
      const sql = yield* SqlClient
      assert.strictEqual((yield* sql`select 1 from actor`).length, 0)
    }).pipe(Effect.provide(services({ root: { password: "abc" } })))
  )
})
