import { PgClient } from "@effect/sql-pg/PgClient"
import { layer as databaseLayer } from "@kinora/storage/platform/database/Database"
import { SessionNotices } from "@kinora/storage/people/session/SessionNotices"
import { TokenRows } from "@kinora/storage/people/session/TokenRows"
import { assert, layer } from "@effect/vitest"
import { Clock, Context, Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { AccessTokens, originOf } from "../../../src/people/session/AccessTokens.ts"
import { SessionListener } from "../../../src/people/session/SessionListener.ts"
import { Supervisor } from "../../../src/platform/supervision/Supervisor.ts"
import { Users } from "../../../src/people/user/Users.ts"
import { login } from "../../instance/about/Client.ts"
import { rootPassword, testNode } from "../../instance/about/TestNode.ts"

const origin = originOf(undefined, "127.0.0.1")

/** The tokens of one more node: over the same database, by connections of its own. */
const anotherNode = Effect.fn("anotherNode")(function* (listens: boolean) {
  const { config } = yield* PgClient
  const database = databaseLayer({ url: config.url!, maxConnections: 4, applicationName: "another-node" })
  const tokens = (listens ? SessionListener : Layer.empty).pipe(
    Layer.provideMerge(AccessTokens.layer),
    Layer.provide([TokenRows.layer, SessionNotices.layer]),
    Layer.provide([database, Supervisor.layer])
  )
  return Context.get(yield* Layer.build(Layer.fresh(tokens)), AccessTokens)
})

/** Takes rows away without a word to anybody. */
const silently = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`alter table oauth_token disable trigger user`
    yield* effect
    yield* sql`alter table oauth_token enable trigger user`
  })

const endSilently = (tokenId: number) =>
  silently(Effect.flatMap(SqlClient, (sql) => sql`delete from oauth_token where id = ${tokenId}`))

/** Until the node remembers, which it does once it listens: then what is taken away silently is not missed. */
const remembers = (tokens: AccessTokens["Service"]) =>
  Effect.gen(function* () {
    const { access_token } = yield* login("root", rootPassword)
    const user = yield* tokens.authenticate(access_token, origin)
    yield* endSilently(user.tokenId)
    yield* tokens.authenticate(access_token, origin)
  }).pipe(Effect.retry({ schedule: Schedule.spaced("20 millis") }), Effect.timeout("20 seconds"))

const session = Effect.fn("session")(function* (...nodes: ReadonlyArray<AccessTokens["Service"]>) {
  const { access_token } = yield* login("root", rootPassword)
  for (const node of nodes) yield* node.authenticate(access_token, origin)
  const user = yield* nodes[0]!.authenticate(access_token, origin)
  return { token: access_token, id: user.tokenId, userId: user.id }
})

const refuses = (tokens: AccessTokens["Service"], token: string) =>
  Effect.map(Effect.result(tokens.authenticate(token, origin)), (result) => result._tag === "Failure")

/** Fails when it does not: a node that listens and hears of no end would remember the session for ever. */
const comesToRefuse = (tokens: AccessTokens["Service"], token: string) =>
  Effect.repeat(refuses(tokens, token), { until: (refused) => refused, schedule: Schedule.spaced("2 millis") }).pipe(
    Effect.timeout("20 seconds")
  )

layer(testNode(), { excludeTestServices: true })("sessions on several nodes", (it) => {
  it.effect("end on one and are refused on the other after the notice", () =>
    Effect.gen(function* () {
      const [one, two] = yield* Effect.all([anotherNode(true), anotherNode(true)])
      yield* Effect.all([remembers(one), remembers(two)])
      const first = yield* session(one, two)
      yield* one.revoke(first.id)
      assert.isTrue(yield* refuses(one, first.token))
      yield* comesToRefuse(two, first.token)
      const second = yield* session(one, two)
      const kept = yield* session(one, two)
      yield* two.revokeAll(second.userId, kept.id)
      assert.isTrue(yield* refuses(two, second.token))
      yield* comesToRefuse(one, second.token)
      assert.isFalse(yield* refuses(one, kept.token))
      assert.isFalse(yield* refuses(two, kept.token))
    })
  )

  it.effect("end everywhere when their user is blocked, and know of a new role and of other preferences", () =>
    Effect.gen(function* () {
      const users = yield* Users
      const sql = yield* SqlClient
      const node = yield* anotherNode(true)
      yield* remembers(node)
      yield* users.create({ username: "u", email: "u@example.com", password: "password1", role: 2 })
      const { access_token } = yield* login("u", "password1")
      assert.strictEqual((yield* node.authenticate(access_token, origin)).role, 2)
      yield* users.setRole("u", 1)
      yield* Effect.repeat(node.authenticate(access_token, origin), {
        until: (user) => user.role === 1,
        schedule: Schedule.spaced("2 millis")
      }).pipe(Effect.timeout("20 seconds"))
      const choice = { nsfwPolicy: "do_not_list", nsfwFlagsHidden: 1, nsfwFlagsWarned: 2, nsfwFlagsBlurred: "what?" }
      yield* sql`update app_user set preferences = ${JSON.stringify(choice)}::text::jsonb where username = 'u'`
      const choosing = yield* Effect.repeat(node.authenticate(access_token, origin), {
        until: (user) => user.nsfw.policy !== null,
        schedule: Schedule.spaced("2 millis")
      }).pipe(Effect.timeout("20 seconds"))
      assert.deepStrictEqual(choosing.nsfw, { policy: "do_not_list", flagsHidden: 1, flagsListed: 2 })
      yield* sql`update app_user set blocked = true where username = 'u'`
      yield* comesToRefuse(node, access_token)
    })
  )

  it.effect("are asked for in the database by a node that does not listen", () =>
    Effect.gen(function* () {
      const deaf = yield* anotherNode(false)
      const { id, token } = yield* session(deaf)
      yield* endSilently(id)
      assert.isTrue(yield* refuses(deaf, token))
    })
  )

  it.effect("are remembered only while the channel is up and is heard", () =>
    Effect.gen(function* () {
      const node = yield* anotherNode(false)
      for (const end of [
        node.handle({ kind: "down" }),
        node.handle({ kind: "up" }),
        // Nothing was heard for longer than the channel may be silent.
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const clock = yield* Clock.Clock
          const past: Clock.Clock = Object.create(clock, { currentTimeMillis: { value: Effect.succeed(now - 6_000) } })
          yield* Effect.provideService(node.handle({ kind: "alive" }), Clock.Clock, past)
        })
      ]) {
        yield* node.handle({ kind: "up" })
        const unheard = yield* session(node)
        yield* endSilently(unheard.id)
        assert.isTrue(yield* refuses(node, unheard.token), "nothing was heard yet")
        yield* node.handle({ kind: "alive" })
        const { id, token } = yield* session(node)
        yield* endSilently(id)
        assert.isFalse(yield* refuses(node, token), "remembered")
        yield* end
        assert.isTrue(yield* refuses(node, token), "asked for")
      }
    })
  )

  it.effect("that ended while a node's connection was cut are refused when it listens again", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const node = yield* anotherNode(true)
      yield* remembers(node)
      const { id, token } = yield* session(node)
      yield* endSilently(id)
      assert.isFalse(yield* refuses(node, token), "remembered")
      yield* sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'another-node' and datname = current_database()`
      yield* comesToRefuse(node, token)
      yield* remembers(node)
      const later = yield* session(node)
      yield* sql`delete from oauth_token where id = ${later.id}`
      yield* comesToRefuse(node, later.token)
    })
  )

  it.effect("end at their time although they are remembered", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const node = yield* anotherNode(false)
      yield* node.handle({ kind: "alive" })
      const { access_token } = yield* login("root", rootPassword)
      yield* sql`update oauth_token set access_expires_at = now() + interval '1 second'`
      assert.isFalse(yield* refuses(node, access_token))
      yield* comesToRefuse(node, access_token)
    })
  )
})
