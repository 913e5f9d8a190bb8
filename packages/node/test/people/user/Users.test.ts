import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { UserRows } from "@kinora/storage/people/user/UserRows"
import { createPublicKey, createSign, createVerify } from "node:crypto"
import { TestDatabase } from "../../../../storage/test/support/TestDatabase.ts"
import { KinoraConfig } from "../../../src/platform/config/Config.ts"
import { Passwords } from "../../../src/people/session/Passwords.ts"
import { Users } from "../../../src/people/user/Users.ts"
import { hashPasswordsAsEver } from "../../support/CheapPasswords.ts"

hashPasswordsAsEver()

const services = Users.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(UserRows.layer, Passwords.layer, KinoraConfig.layerTest())),
  Layer.provideMerge(TestDatabase)
)

const request = (username: string) => ({
  username,
  email: `${username}@example.com`,
  password: "password1",
  role: 2 as const
})

layer(services, { excludeTestServices: true })("Users", (it) => {
  it.effect("get keys that sign and verify, each actor its own", () =>
    Effect.gen(function* () {
      yield* (yield* Users).create(request("anna"))
      const sql = yield* SqlClient
      const actors = yield* sql<{ name: string; type: string; url: string; pub: string; priv: string }>`
        select preferred_username as name, type, url, public_key as pub, private_key as priv from actor order by id`
      assert.deepStrictEqual(
        actors.map(({ name, type, url }) => [name, type, url]),
        [
          ["anna", "Person", "http://localhost:9000/accounts/anna"],
          ["anna_channel", "Group", "http://localhost:9000/video-channels/anna_channel"]
        ]
      )
      assert.notStrictEqual(actors[0]!.pub, actors[1]!.pub)
      for (const { priv, pub } of actors) {
        const signature = createSign("sha256").update("text").sign(priv)
        assert.isTrue(createVerify("sha256").update("text").verify(pub, signature))
        assert.strictEqual(createPublicKey(pub).asymmetricKeyDetails?.modulusLength, 2048)
      }
    })
  )

  it.effect("get the next free channel name", () =>
    Effect.gen(function* () {
      const users = yield* Users
      yield* users.create({ ...request("bert"), channelName: "carl_channel" })
      const sql = yield* SqlClient
      const { channelId } = yield* users.create(request("carl"))
      const names = yield* sql<{ name: string }>`
        select a.preferred_username as name from video_channel c join actor a on a.id = c.actor_id where c.id = ${channelId}`
      assert.strictEqual(names[0]!.name, "carl_channel-1")
      // Names that registrations ask for, which wait, as user or as channel, are none of the free ones.
      yield* sql`
        insert into user_registration (username, email, password_hash, registration_reason, channel_handle)
        values ('dave_channel', 'one@example.com', 'x', 'please', null), ('x', 'two@example.com', 'x', 'please', 'dave_channel-1')`
      const dave = yield* users.prepare(request("dave"))
      assert.strictEqual(dave.channel.preferredUsername, "dave_channel-2")
      yield* users.create(request("x".repeat(50)))
    })
  )

  it.effect("are refused with a reason when something about them cannot be", () =>
    Effect.gen(function* () {
      const users = yield* Users
      const bad = [
        { ...request("Upper") },
        { ...request("") },
        { ...request("ok1"), password: "short" },
        { ...request("ok2"), password: "ä".repeat(40) },
        { ...request("ok3"), email: "no address" },
        { ...request("ok6"), email: "ok6@ma\u0130l.example" },
        { ...request("ok7"), email: "ok7@example.com,eve@example.com" },
        { ...request("ok4"), channelName: "a b" },
        { ...request("ok5"), channelName: "OK5" }
      ]
      for (const one of bad) {
        const refused = yield* Effect.flip(users.create(one))
        assert.strictEqual(refused._tag, "UserInvalid", one.username)
      }
      assert.strictEqual((yield* Effect.flip(users.setRole("ghost", 1)))._tag, "UserNotFound")
      assert.strictEqual((yield* Effect.flip(users.resetPassword("ghost", "password1")))._tag, "UserNotFound")
    })
  )

  it.effect("keep a hash with its parameters, of which no two are alike", () =>
    Effect.gen(function* () {
      const passwords = yield* Passwords
      const [one, two] = yield* Effect.all([passwords.hash("password1"), passwords.hash("password1")])
      assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
      assert.notStrictEqual(one, two)
      assert.isTrue(yield* passwords.verify("password1", one))
      assert.isFalse(yield* passwords.verify("password2", one))
      assert.isFalse(yield* passwords.verify("password1", undefined))
      assert.isFalse(yield* passwords.verify("password1", "not a hash"))
    })
  )
})
