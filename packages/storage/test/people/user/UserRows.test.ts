import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Actors } from "../../../src/people/actor/Actors.ts"
import { LocalActors } from "../../../src/people/actor/LocalActors.ts"
import { LoginRows } from "../../../src/people/session/LoginRows.ts"
import { MyUserReads } from "../../../src/people/user/MyUserReads.ts"
import { UserRows } from "../../../src/people/user/UserRows.ts"
import { newUser } from "./NewUsers.ts"
import { prepareReadModels } from "../../../src/video/read/ReadModelVersion.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

const repositories = Layer.mergeAll(
  UserRows.layer,
  LocalActors.layer,
  Actors.layer,
  MyUserReads.layer,
  LoginRows.layer
).pipe(Layer.provideMerge(TestDatabase))

layer(repositories)("users", (it) => {
  it.effect("are written with account, channel and keys, and are found by name and mail address", () =>
    Effect.gen(function* () {
      const logins = yield* LoginRows
      const created = yield* (yield* UserRows).create(newUser("alice"))
      assert.isTrue(created.userId > 0 && created.accountId > 0 && created.channelId > 0)
      for (const name of ["alice", "ALICE", "Alice@Example.com"]) {
        assert.deepInclude(Option.getOrThrow(yield* logins.find(name)), { kind: "user", id: created.userId })
      }
    })
  )

  it.effect("share one namespace with channels", () =>
    Effect.gen(function* () {
      const users = yield* UserRows
      yield* users.create(newUser("bob"))
      const taken = yield* Effect.flip(users.create({ ...newUser("bob_channel"), email: "other@example.com" }))
      assert.deepInclude(taken, { _tag: "ActorNameTaken", name: "bob_channel" })
      const channel = yield* Effect.flip(users.create({ ...newUser("bobby"), channel: newUser("bob").account }))
      assert.deepInclude(channel, { _tag: "ActorNameTaken", name: "bob" })
      const sql = yield* SqlClient
      const rows = yield* sql`select id from app_user where username in ('bob_channel', 'bobby')`
      assert.strictEqual(rows.length, 0)
    })
  )

  it.effect("have distinct mail addresses", () =>
    Effect.gen(function* () {
      const users = yield* UserRows
      yield* users.create(newUser("carol"))
      const taken = yield* Effect.flip(users.create({ ...newUser("caro"), email: "CAROL@example.com" }))
      assert.strictEqual(taken._tag, "EmailTaken")
    })
  )

  it.effect("with an underscore in the name are told apart from others (API-04)", () =>
    Effect.gen(function* () {
      const [users, logins] = [yield* UserRows, yield* LoginRows]
      yield* users.create(newUser("under_score"))
      assert.isTrue(Option.isNone(yield* logins.find("underxscore")))
      yield* users.create(newUser("underxscore"))
      assert.deepInclude(Option.getOrThrow(yield* logins.find("under_score")), { username: "under_score" })
    })
  )

  it.effect("with each other's names, made at once, do not wait for each other for ever", () =>
    Effect.gen(function* () {
      const users = yield* UserRows
      for (let round = 0; round < 4; round++) {
        const [left, right] = [newUser(`left${round}`), newUser(`right${round}`)]
        const made = yield* Effect.all(
          [users.create({ ...left, channel: right.account }), users.create({ ...right, channel: left.account })].map(
            Effect.result
          ),
          { concurrency: 2 }
        )
        assert.deepStrictEqual(made.map(({ _tag }) => _tag).toSorted(), ["Failure", "Success"])
        for (const one of made) if (one._tag === "Failure") assert.strictEqual(one.failure._tag, "ActorNameTaken")
      }
    })
  )

  it.effect("and their actors are read as clients read them", () =>
    Effect.gen(function* () {
      yield* prepareReadModels("http://localhost:9000")
      const users = yield* UserRows
      const { userId } = yield* users.create(newUser("dora"))
      const me = Option.getOrThrow(yield* (yield* MyUserReads).byId(userId))
      assert.strictEqual(me.account.url, "http://localhost:9000/accounts/dora")
      assert.strictEqual(me.account.userId, userId)
      assert.match(me.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      assert.strictEqual(me.videoChannels[0]!.name, "dora_channel")
      const actors = yield* Actors
      const byHost = yield* actors.channel({ name: "DORA_channel", host: "localhost:9000" })
      assert.deepInclude(JSON.parse(Option.getOrThrow(byHost).json), { isLocal: true, host: "localhost:9000" })
      assert.isTrue(Option.isNone(yield* actors.account({ name: "dora", host: "elsewhere.example" })))
      assert.isTrue(Option.isNone(yield* actors.account({ name: "dora_channel", host: null })))
      assert.strictEqual(Option.getOrThrow(yield* (yield* LocalActors).byName("Dora")).type, "Person")
    })
  )
})
