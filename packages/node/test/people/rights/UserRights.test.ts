import { assert, layer } from "@effect/vitest"
import { Effect, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { UserRole } from "@kinora/domain/enums/UserRole"
import { testNode } from "../../instance/about/TestNode.ts"
import { UserAdministration } from "../../../src/people/user/UserAdministration.ts"
import { asked, call, enrol, isIn, rootToken, tokenOf } from "../user/UserCalls.ts"
import { rootPassword } from "../../instance/about/TestNode.ts"

const cast = Effect.gen(function* () {
  return {
    root: { id: 1, token: yield* rootToken },
    administrator: yield* enrol("administrator", 0),
    other: yield* enrol("other", 0),
    moderator: yield* enrol("moderator", 1),
    colleague: yield* enrol("colleague", 1),
    user: yield* enrol("user"),
    victim: yield* enrol("victim")
  }
})

const names = ["root", "administrator", "other", "moderator", "colleague", "user", "victim"] as const
type Name = (typeof names)[number]
const askers = ["root", "administrator", "moderator", "user"] as const
/** Who does not ask, and may so be logged out. */
const others: ReadonlyArray<Name> = ["other", "colleague", "victim"]
const baseRoles: Readonly<Record<Name, UserRole>> = {
  root: 0,
  administrator: 0,
  other: 0,
  moderator: 1,
  colleague: 1,
  user: 2,
  victim: 2
}

const state = Effect.gen(function* () {
  const sql = yield* SqlClient
  return yield* sql<{ id: number; username: Name; role: UserRole; flags: number; quota: number; blocked: boolean }>`
    select id, username::text as username, role, admin_flags as flags, video_quota as quota, blocked
    from app_user order by id`
})

const reset = Effect.gen(function* () {
  const sql = yield* SqlClient
  for (const name of names) {
    yield* sql`
      update app_user set role = ${baseRoles[name]}::smallint, admin_flags = 0, video_quota = -1, blocked = false
      where username = ${name}`
  }
})

const Step = Schema.Struct({
  asker: Schema.Literals(names),
  /** What the session says: it may be older than what the user is now. */
  claimed: Schema.Literals([0, 1, 2]),
  target: Schema.Literals(names),
  what: Schema.Literals(["role", "flags", "quota", "block", "unblock"]),
  value: Schema.Literals([0, 1, 2])
})

layer(testNode(), { excludeTestServices: true, timeout: 300_000 })("rights over users", (it) => {
  it.effect("are those of the role, of whoever asks and of whom it is about", () =>
    Effect.gen(function* () {
      const people = yield* cast
      const all: ReadonlyArray<Name> = names
      /** Whom each may manage; block and delete are less: neither oneself nor the first administrator. */
      const manages: Readonly<Record<(typeof askers)[number], ReadonlyArray<Name>>> = {
        root: all,
        administrator: all.filter((name) => name !== "root"),
        moderator: all.filter((name) => name === "user" || name === "victim"),
        user: []
      }
      for (const asker of askers) {
        const { token } = people[asker]
        const hasRight = asker !== "user"
        assert.strictEqual((yield* call("GET", "", token)).status, hasRight ? 200 : 403, asker)
        for (const target of names) {
          const { id } = people[target]
          const label = `${asker} → ${target}`
          const may = manages[asker].includes(target)
          const isAdministrator = baseRoles[asker] === 0
          const expectStatus = Effect.fn(function* (
            what: string,
            method: string,
            path: string,
            body: unknown,
            ok: boolean
          ) {
            const { status, text } = yield* call(method, `/${id}${path}`, token, body)
            assert.deepStrictEqual(
              [label, what, status],
              [label, what, ok ? (method === "GET" ? 200 : 204) : 403],
              text
            )
          })
          yield* expectStatus("read", "GET", "", undefined, hasRight)
          yield* expectStatus("quota", "PUT", "", { videoQuota: 5, adminFlags: 1 }, may)
          yield* expectStatus("same role", "PUT", "", { role: baseRoles[target] }, may)
          for (const role of [0, 1, 2] as const) {
            if (role === baseRoles[target] || (asker === target && isAdministrator)) continue
            const mayChange = may && isAdministrator && target !== "root"
            yield* expectStatus(`role ${role}`, "PUT", "", { role }, mayChange)
            if (mayChange) yield* reset
          }
          const mayBlock = may && target !== "root" && asker !== target
          yield* expectStatus("unblock", "POST", "/unblock", {}, may)
          if (!mayBlock || others.includes(target)) yield* expectStatus("block", "POST", "/block", {}, mayBlock)
          if (mayBlock) {
            yield* reset
            continue
          }
          yield* expectStatus("delete", "DELETE", "", undefined, false)
        }
      }
      for (const [asker, name, role] of [
        ["moderator", "gone1", 2],
        ["administrator", "gone2", 0],
        ["root", "gone3", 1]
      ] as const) {
        const { id } = yield* enrol(name, role)
        assert.strictEqual((yield* call("DELETE", `/${id}`, people[asker].token)).status, 204, asker)
      }
      const after = yield* state
      assert.isTrue(after.every(({ blocked, role, username }) => !blocked && role === baseRoles[username]))
      assert.strictEqual((yield* call("PUT", "/1", people.root.token, { role: 1 })).status, 403)
      for (const path of ["", "/1", "/2147483647", "/nobody"]) {
        for (const method of path === "" ? ["GET", "POST"] : ["GET", "PUT", "DELETE"]) {
          const body = method === "GET" ? undefined : {}
          assert.deepStrictEqual(
            [method, path, (yield* call(method, path, undefined, body)).status],
            [method, path, 401]
          )
          const { status } = yield* call(method, path, people.user.token, body)
          assert.deepStrictEqual([method, path, status], [method, path, 403])
        }
      }
    })
  )

  it.effect("to make users are no more than what one has", () =>
    Effect.gen(function* () {
      const moderator = yield* tokenOf("moderator")
      const administrator = yield* tokenOf("administrator")
      for (const role of [0, 1]) {
        assert.strictEqual((yield* call("POST", "", moderator, asked(`made${role}`, { role }))).status, 403)
      }
      assert.strictEqual((yield* call("POST", "", moderator, asked("made2"))).status, 200)
      const made = yield* call("POST", "", administrator, asked("made1", { role: 1 }))
      assert.strictEqual(made.status, 200, made.text)
      const sql = yield* SqlClient
      yield* sql`delete from app_user where username like 'made%'`
    })
  )

  it.effect("end for the sessions of a moderator who becomes a user", () =>
    Effect.gen(function* () {
      yield* reset
      const root = yield* tokenOf("root", rootPassword)
      const moderator = yield* tokenOf("moderator")
      const { id } = (yield* call("GET", "?search=moderator", root)).json.data[0]
      assert.strictEqual((yield* call("GET", "", moderator)).status, 200)
      assert.strictEqual((yield* call("PUT", `/${id}`, root, { role: 2 })).status, 204)
      const refused = Effect.flatMap(call("GET", "", moderator), ({ status }) =>
        status === 403 ? Effect.succeed(status) : Effect.fail(status)
      )
      yield* Effect.retry(refused, Schedule.spaced("2 millis")).pipe(Effect.timeout("20 seconds"))
      assert.isTrue(yield* isIn(moderator))
      assert.strictEqual((yield* call("GET", `/${id}`, moderator)).status, 403)
    })
  )

  it.effect("are decided one after the other when two take them from each other", () =>
    Effect.gen(function* () {
      const tokens = { administrator: yield* tokenOf("administrator"), other: yield* tokenOf("other") }
      const administration = yield* UserAdministration
      for (let round = 0; round < 10; round++) {
        yield* reset
        const before = yield* state
        const find = (name: Name) => ({ ...before.find(({ username }) => username === name)!, role: 0 }) as never
        const one = find("administrator") as CurrentUserShape
        const two = find("other") as CurrentUserShape
        const results = yield* Effect.all(
          [
            Effect.result(administration.update(one, two.id, { role: 2 })),
            Effect.result(administration.update(two, one.id, { role: 2 }))
          ],
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(results.map(({ _tag }) => _tag).toSorted(), ["Failure", "Success"])
      }
      yield* reset
      assert.isTrue((yield* isIn(tokens.administrator)) && (yield* isIn(tokens.other)))
    })
  )

  it.effect.prop(
    "are never gained, whatever is asked in whatever order",
    { steps: Schema.Array(Step).check(Schema.isMaxLength(14)) },
    Effect.fnUntraced(function* ({ steps }) {
      const administration = yield* UserAdministration
      yield* reset
      let before = yield* state
      const ids = new Map(before.map(({ id, username }) => [username, id]))
      for (const { asker, claimed, target, value, what } of steps) {
        const who = { id: ids.get(asker), username: asker, role: claimed } as CurrentUserShape
        const id = ids.get(target)!
        const attempt = {
          role: () => administration.update(who, id, { role: value }),
          flags: () => administration.update(who, id, { adminFlags: value === 0 ? 0 : 1 }),
          quota: () => administration.update(who, id, { videoQuota: value - 1 }),
          block: () => administration.block(who, id, null),
          unblock: () => administration.unblock(who, id)
        }[what]
        yield* Effect.result(attempt())
        const after = yield* state
        const was = before.find(({ username }) => username === asker)!
        for (const [index, now] of after.entries()) {
          const then = before[index]!
          const changed = JSON.stringify(now) !== JSON.stringify(then)
          // Only the user it is about changes, only by who could at that moment, and roles only by administrators.
          if (changed) {
            assert.strictEqual(now.username, target)
            assert.isFalse(was.blocked)
            assert.isTrue(was.role === 0 || (was.role === 1 && then.role === 2))
          }
          if (now.role !== then.role) assert.strictEqual(was.role, 0)
        }
        assert.deepInclude(after[0], { username: "root", role: 0, blocked: false })
        before = after
      }
    }),
    { arbitrary: { runs: 150 }, timeout: 120_000 }
  )
})
