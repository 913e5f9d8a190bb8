import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { UploadSessions } from "../../../src/video/upload/UploadSessions.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

const newUser = Effect.fn("newUser")(function* (name: string) {
  const sql = yield* SqlClient
  const [row] = yield* sql<{ id: number }>`
    insert into app_user (username, email, password_hash, role) values (${name}, ${`${name}@example.com`}, 'x', 2)
    returning id
  `
  return row!.id
})

const session = (id: string, userId: number, size: number) => ({
  id,
  userId,
  payerId: userId,
  filename: "a.mp4",
  contentType: "video/mp4",
  size,
  metadata: { name: "A video", tags: ["one"] },
  lifetimeSeconds: 60
})

const limits = { quota: -1, quotaDaily: -1, diskFree: 1_000_000, sessions: 3 }

layer(UploadSessions.layer.pipe(Layer.provideMerge(TestDatabase)))("UploadSessions", (it) => {
  it.effect("keeps what was said, counts what arrived, and ends", () =>
    Effect.gen(function* () {
      const sessions = yield* UploadSessions
      const userId = yield* newUser("keeper")
      yield* sessions.open(session("kept", userId, 500), limits)
      yield* sessions.acknowledge("kept", 200, 60)
      assert.deepStrictEqual(
        yield* sessions.find("kept"),
        Option.some({
          id: "kept",
          userId,
          kind: "video" as const,
          payerId: userId,
          videoId: null,
          filename: "a.mp4",
          size: 500,
          received: 200,
          metadata: { name: "A video", tags: ["one"] },
          state: "open" as const,
          result: null
        })
      )
      assert.isTrue(yield* sessions.remove("kept"))
      assert.isFalse(yield* sessions.remove("kept"))
      assert.deepStrictEqual(yield* sessions.find("kept"), Option.none())
    })
  )

  it.effect("reserves quota and disk for what has not arrived yet, whoever asks at the same time", () =>
    Effect.gen(function* () {
      const sessions = yield* UploadSessions
      const userId = yield* newUser("reserver")
      const other = yield* newUser("neighbour")
      const tries = yield* Effect.all(
        [1, 2, 3, 4, 5].map((n) =>
          Effect.result(sessions.open(session(`r${n}`, userId, 400), { ...limits, quota: 1000 }))
        ),
        { concurrency: 5 }
      )
      assert.strictEqual(tries.filter(({ _tag }) => _tag === "Success").length, 2)
      for (const one of tries) if (one._tag === "Failure") assert.strictEqual(one.failure._tag, "QuotaReached")
      const daily = yield* Effect.flip(sessions.open(session("day", userId, 400), { ...limits, quotaDaily: 1000 }))
      assert.deepInclude(daily, { _tag: "QuotaReached", daily: true })
      // 800 bytes are still to come: 199 are free.
      const tight = { ...limits, diskFree: 999 }
      assert.strictEqual(
        (yield* Effect.flip(sessions.open(session("d1", other, 200), tight)))._tag,
        "InsufficientStorage"
      )
      yield* sessions.open(session("d2", other, 199), tight)
      const [first] = yield* Effect.forEach(["r1", "r2", "r3", "r4", "r5"], sessions.find).pipe(
        Effect.map((all) => all.filter(Option.isSome))
      )
      yield* sessions.acknowledge(first!.value.id, 400, 60)
      yield* sessions.open(session("d3", other, 400), tight)
      const third = yield* Effect.flip(sessions.open(session("d4", other, 1), { ...limits, sessions: 2 }))
      assert.strictEqual(third._tag, "RateLimited")
    })
  )

  it.effect("grows within the same limits and is swept when it has expired", () =>
    Effect.gen(function* () {
      const sessions = yield* UploadSessions
      const sql = yield* SqlClient
      const userId = yield* newUser("grower")
      yield* sessions.open(session("growing", userId, 100), { ...limits, quota: 1000 })
      yield* sessions.grow({ id: "growing", userId, payerId: userId, size: 900 }, { ...limits, quota: 1000 })
      const error = yield* Effect.flip(
        sessions.grow({ id: "growing", userId, payerId: userId, size: 1001 }, { ...limits, quota: 1000 })
      )
      assert.strictEqual(error._tag, "QuotaReached")
      assert.isTrue((yield* sessions.ids).has("growing"))
      yield* sql`update upload_session set expires_at = now() where id = 'growing'`
      assert.deepStrictEqual(yield* sessions.removeExpired, ["growing"])
      assert.isFalse((yield* sessions.ids).has("growing"))
    })
  )
})
