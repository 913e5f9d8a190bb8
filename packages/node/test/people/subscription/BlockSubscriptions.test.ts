import { assert, layer } from "@effect/vitest"
import { AccountBlockList, BlockStatus, ServerBlockList } from "@kinora/domain/wire/Block"
import {
  AutoMuteList,
  BlocklistSubscription,
  BlocklistSubscriptionList
} from "@kinora/domain/wire/BlocklistSubscription"
import { Clock, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { subscriptionWorker } from "../../../src/people/subscription/SubscriptionTasks.ts"
import { SubscriptionWorker } from "../../../src/people/subscription/SubscriptionWorker.ts"
import { KinoraConfig } from "../../../src/platform/config/Config.ts"
import { ask, crewNode, type Member, refused } from "../channel/Crew.ts"
import { ListServer } from "./ListServer.ts"

const one = Schema.decodeUnknownEffect(BlocklistSubscription)
const page = Schema.decodeUnknownEffect(BlocklistSubscriptionList)
const accountList = Schema.decodeUnknownEffect(AccountBlockList)
const serverList = Schema.decodeUnknownEffect(ServerBlockList)
const statuses = Schema.decodeUnknownEffect(BlockStatus)
const log = Schema.decodeUnknownEffect(AutoMuteList)

const root = "/server/blocklist"
const path = `${root}/subscriptions`

type Action = readonly [type: "block" | "unblock", target: string, createdAt: string]
const time = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()
const document = (name: string, actions: ReadonlyArray<Action>) => ({
  name,
  actions: actions.map(([type, target, createdAt]) => ({ type, target, createdAt }))
})

const subscribe = Effect.fnUntraced(function* (url: string) {
  const answer = yield* ask("administrator", "POST", path, { url })
  assert.strictEqual(answer.status, 200, answer.text)
  return yield* one(answer.json)
})

const end = Effect.fnUntraced(function* (id: number) {
  assert.strictEqual((yield* ask("administrator", "DELETE", `${path}/${id}`)).status, 204)
})

const subscriptions = Effect.flatMap(ask("administrator", "GET", path), ({ json }) =>
  Effect.map(page(json), ({ data }) => data)
)

/** Hosts that are blocked, with the name of the subscription they came by. */
const hosts = Effect.fnUntraced(function* (query = "") {
  const answer = yield* ask("moderator", "GET", `${root}/servers?count=100&${query}`)
  assert.strictEqual(answer.status, 200, answer.text)
  const { data } = yield* serverList(answer.json)
  return data.map((it) => [it.blockedServer.host, it.blocklistSubscription?.name ?? null] as const).toSorted()
})

const accounts = Effect.fnUntraced(function* (query = "") {
  const answer = yield* ask("moderator", "GET", `${root}/accounts?count=100&${query}`)
  assert.strictEqual(answer.status, 200, answer.text)
  const { data } = yield* accountList(answer.json)
  return data.map(
    (it) => [`${it.blockedAccount.name}@${it.blockedAccount.host}`, it.blocklistSubscription?.name ?? null] as const
  )
})

const fetchAll = Effect.gen(function* () {
  const worker = yield* SubscriptionWorker
  while (yield* worker.once);
})

const fetchAgain = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`update job set state = 'waiting', run_at = now() where type = 'list-subscription' and state = 'delayed'`
  yield* fetchAll
})

/** An account of another instance, as it comes to be known. */
const meet = Effect.fnUntraced(function* (name: string, host: string) {
  const sql = yield* SqlClient
  yield* sql`insert into server (host) values (${host}) on conflict do nothing`
  yield* sql`
    with made as (
      insert into actor (type, preferred_username, server_id, url, inbox_url, public_key)
      select 'Person', ${name}, id, ${`https://${host}/accounts/${name}`}, ${`https://${host}/inbox`}, 'p' from server where host = ${host}
      returning id
    )
    insert into account (actor_id, display_name) select id, ${name} from made`
})

const byHand = (method: "POST" | "DELETE", host: string) =>
  Effect.map(
    method === "POST"
      ? ask("moderator", "POST", `${root}/servers`, { host })
      : ask("moderator", "DELETE", `${root}/servers/${host}`),
    ({ status }) => assert.strictEqual(status, 204)
  )

const node = subscriptionWorker.pipe(
  Layer.provideMerge(crewNode({ blocklist: { public_log: { enabled: true } } })),
  Layer.provideMerge(ListServer.layer)
)

layer(node, { excludeTestServices: true, timeout: 60_000 })("Subscriptions to block lists", (it) => {
  it.effect("block what others block, with their name on it, until they end", () =>
    Effect.gen(function* () {
      const server = yield* ListServer
      yield* meet("known", "c.example")
      const url = server.url("/log")
      server.publish(
        "/log",
        document("Good list", [
          ["block", "a.example", time(1)],
          ["block", "B.Example", time(2)],
          ["block", "known@c.example", time(3)],
          ["block", "@unknown@d.example", time(4)],
          ["block", "gone.example", time(5)],
          ["unblock", "gone.example", time(6)],
          ["unblock", "a.example", time(0)]
        ])
      )
      const made = yield* subscribe(url)
      assert.deepInclude(made, {
        ...{ url, name: server.host, mutedAccountsCount: 0, mutedServersCount: 0, lastSyncAt: null, lastError: null },
        state: { id: 1, label: "Waiting first run" }
      })
      yield* fetchAll
      const [fetched] = yield* subscriptions
      assert.deepInclude(fetched!, {
        ...{ id: made.id, name: "Good list", mutedAccountsCount: 2, mutedServersCount: 2 },
        state: { id: 3, label: "Synchronized" }
      })
      assert.deepStrictEqual(yield* hosts(), [
        ["a.example", "Good list"],
        ["b.example", "Good list"]
      ])
      assert.deepStrictEqual(yield* accounts(), [["known@c.example", "Good list"]])
      // Blocked from the moment in which it is known.
      yield* meet("Unknown", "d.example")
      assert.deepStrictEqual(yield* accounts("search=unknown"), [["Unknown@d.example", "Good list"]])

      const asked = yield* ask(
        "anonymous",
        "GET",
        "/blocklist/status?hosts=a.example&hosts=z.example&accounts=known@c.example&accounts=owner"
      )
      const { accounts: ofAccounts, hosts: ofHosts } = yield* statuses(asked.json)
      const blocked = { blockedByServer: true, blockedByServerSubscription: "Good list", blockedByUser: false }
      const free = { blockedByServer: false, blockedByServerSubscription: null, blockedByUser: false }
      assert.deepStrictEqual(ofHosts, { "a.example": blocked, "z.example": free })
      assert.deepStrictEqual(ofAccounts, { "known@c.example": blocked, owner: free })

      // What is new is asked for from the last action on.
      server.publish(
        "/log",
        document("Good list", [
          ["unblock", "b.example", time(7)],
          ["unblock", "known@c.example", time(7)],
          ["block", "e.example", time(8)]
        ])
      )
      yield* fetchAgain
      assert.deepStrictEqual(server.asked("/log"), ["startDate=1970-01-01T00:00:00.000Z", `startDate=${time(6)}`])
      assert.deepStrictEqual(yield* hosts("sort=createdAt"), [
        ["a.example", "Good list"],
        ["e.example", "Good list"]
      ])
      assert.deepStrictEqual(yield* accounts(), [["Unknown@d.example", "Good list"]])

      yield* end(made.id)
      assert.deepStrictEqual(yield* hosts(), [])
      assert.deepStrictEqual(yield* accounts(), [])
      assert.strictEqual((yield* ask("administrator", "DELETE", `${path}/${made.id}`)).status, 404)
    })
  )

  it.effect("leave alone what moderators block by hand, and what other lists have", () =>
    Effect.gen(function* () {
      const server = yield* ListServer
      yield* byHand("POST", "hand.example")
      server.publish(
        "/one",
        document("One", [
          ["block", "hand.example", time(1)],
          ["block", "both.example", time(1)],
          ["block", "mine.example", time(1)],
          ["block", "taken.example", time(1)]
        ])
      )
      server.publish("/two", document("Two", [["block", "both.example", time(1)]]))
      const first = yield* subscribe(server.url("/one"))
      const second = yield* subscribe(server.url("/two"))
      yield* fetchAll
      yield* byHand("POST", "mine.example")
      yield* byHand("DELETE", "taken.example")
      assert.deepStrictEqual(yield* hosts(), [
        ["both.example", "One"],
        ["hand.example", null],
        ["mine.example", null]
      ])
      assert.deepStrictEqual(yield* hosts("subscriptionName=one"), [["both.example", "One"]])
      assert.deepStrictEqual(yield* hosts("subscriptionName=Nobody"), [])
      // A moderator has decided otherwise.
      yield* fetchAgain
      assert.notInclude(
        (yield* hosts()).map(([host]) => host),
        "taken.example"
      )
      yield* end(first.id)
      assert.deepStrictEqual(yield* hosts(), [
        ["both.example", "Two"],
        ["hand.example", null],
        ["mine.example", null]
      ])
      yield* end(second.id)
      assert.deepStrictEqual(yield* hosts(), [
        ["hand.example", null],
        ["mine.example", null]
      ])
      for (const host of ["hand.example", "mine.example"]) yield* byHand("DELETE", host)
    })
  )

  it.effect("leave out what cannot be blocked, this instance above all", () =>
    Effect.gen(function* () {
      const server = yield* ListServer
      const actions: ReadonlyArray<unknown> = [
        { type: "block", target: "localhost:9000", createdAt: time(1) },
        { type: "block", target: "owner@localhost:9000", createdAt: time(1) },
        { type: "block", target: "owner", createdAt: time(1) },
        { type: "block", target: "", createdAt: time(1) },
        { type: "block", target: "a b.example", createdAt: time(1) },
        { type: "block", target: "../etc/passwd", createdAt: time(1) },
        { type: "mute", target: "x.example", createdAt: time(1) },
        { type: "block", target: 7, createdAt: time(1) },
        { type: "block", target: "x.example", createdAt: "yesterday" },
        { type: "block", target: "x.example" },
        { type: "block", target: "later.example", createdAt: "9999-01-01T00:00:00.000Z" },
        null,
        [],
        "block"
      ]
      server.publish("/odd", { name: "\u202e", actions })
      const { id } = yield* subscribe(server.url("/odd"))
      yield* fetchAll
      assert.deepInclude((yield* subscriptions)[0]!, { name: server.host, lastError: null, mutedServersCount: 1 })
      assert.deepStrictEqual(yield* hosts(), [["later.example", server.host]])
      assert.deepStrictEqual(yield* accounts(), [])
      // The clock of a publisher that is far ahead does not hide what comes after.
      yield* fetchAgain
      const [, since] = server.asked("/odd")
      assert.isBelow(Date.parse(since!.slice("startDate=".length)), (yield* Clock.currentTimeMillis) + 60_000)
      yield* end(id)
    })
  )

  it.effect("read a log page by page, and a file that says everything each time", () =>
    Effect.gen(function* () {
      const server = yield* ListServer
      const all = Array.from({ length: 1_234 }, (_, n): Action => ["block", `h${n}.example`, time(n)])
      server.answer("/paged", (request, response) => {
        const since = new URL(request.url ?? "", "http://localhost").searchParams.get("startDate") ?? ""
        const some = all.filter(([, , at]) => at >= since).slice(0, 500)
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document("Paged", some)))
      })
      const { id } = yield* subscribe(server.url("/paged"))
      yield* fetchAll
      assert.strictEqual((yield* subscriptions)[0]!.mutedServersCount, 1_234)
      assert.strictEqual(server.asked("/paged").length, 3)
      yield* end(id)

      server.publish("/file", document("File", all))
      const file = yield* subscribe(server.url("/file?x=1"))
      yield* fetchAll
      assert.strictEqual((yield* subscriptions)[0]!.mutedServersCount, 1_234)
      assert.strictEqual(server.asked("/file").length, 2)
      assert.match(server.asked("/file")[0]!, /^x=1&startDate=/)
      const [counted] = yield* (yield* SqlClient)<{ n: number }>`select count(*) as n from server_block`
      assert.strictEqual(counted!.n, 1_234)
      yield* end(file.id)
      const [left] = yield* (yield* SqlClient)<{ n: number }>`select count(*) as n from server_block`
      assert.strictEqual(left!.n, 0)
    })
  )

  it.effect("are not sent again what they have, and catch up with accounts that came meanwhile", () =>
    Effect.gen(function* () {
      const server = yield* ListServer
      const sql = yield* SqlClient
      const actions = [
        ["block", "a.example", time(1)],
        ["block", "late@late.example", time(2)]
      ] as const
      const first = server.tag("/tagged", '"one"', document("Tagged", actions))
      const { id } = yield* subscribe(server.url("/tagged"))
      yield* fetchAll
      // As if its transaction had been under way while the list was applied.
      yield* meet("late", "late.example")
      yield* sql`delete from account_block where not by_hand`
      for (let n = 0; n < 2; n++) yield* fetchAgain
      assert.strictEqual(first.sent, 1)
      assert.deepInclude((yield* subscriptions)[0]!, { lastError: null, state: { id: 3, label: "Synchronized" } })
      assert.deepStrictEqual(yield* accounts(), [["late@late.example", "Tagged"]])
      const second = server.tag("/tagged", '"two"', document("Tagged", [...actions, ["unblock", "a.example", time(3)]]))
      for (let n = 0; n < 2; n++) yield* fetchAgain
      assert.strictEqual(second.sent, 1)
      assert.deepStrictEqual(yield* hosts(), [])
      yield* end(id)
      assert.deepStrictEqual(yield* accounts(), [])
    })
  )

  it.effect("say what is wrong, and keep what was applied", () =>
    Effect.gen(function* () {
      const server = yield* ListServer
      server.publish("/log2", document("Log", [["block", "a.example", time(1)]]))
      const { id } = yield* subscribe(server.url("/log2"))
      yield* fetchAll
      for (const [what, error] of [
        [{ name: "x" }, /no list of blocks/],
        [[], /no list of blocks/],
        [{ name: "x", actions: {} }, /no list of blocks/]
      ] as const) {
        server.publish("/log2", what)
        yield* fetchAgain
        const [failed] = yield* subscriptions
        assert.deepStrictEqual(failed!.state, { id: 4, label: "Failed" })
        assert.match(failed!.lastError ?? "", error)
      }
      assert.deepStrictEqual(yield* hosts(), [["a.example", "Log"]])
      yield* end(id)
      // Whoever ends a subscription that is being fetched is not overtaken.
      const sql = yield* SqlClient
      const again = yield* subscribe(server.url("/log2"))
      server.answer("/log2", (_, response) => {
        response.writeHead(200, { "content-type": "application/json" })
        response.end(JSON.stringify(document("Log", [["block", "a.example", time(1)]])))
      })
      yield* sql`delete from blocklist_subscription where id = ${again.id}`
      yield* fetchAll
      assert.deepStrictEqual(yield* hosts(), [])
    })
  )

  it.effect("are for administrators", () =>
    Effect.gen(function* () {
      const server = yield* ListServer
      const requests = [
        ["GET", path],
        ["POST", path],
        ["DELETE", `${path}/1`]
      ] as const
      for (const [who, status] of [
        ["anonymous", 401],
        ["owner", 403],
        ["moderator", 403]
      ] as ReadonlyArray<readonly [Member, number]>) {
        for (const [method, to] of requests) {
          const body = method === "POST" ? { url: server.url("/log") } : undefined
          assert.strictEqual((yield* ask(who, method, to, body)).status, status, `${who} ${method}`)
        }
      }
      for (const url of [
        undefined,
        "",
        "http://localhost:9000/api/v1/server/blocklist/public-log",
        "https://10.1.2.3/"
      ]) {
        assert.deepStrictEqual(refused(yield* ask("administrator", "POST", path, { url })), ["url"], `${url}`)
      }
      const made = yield* subscribe(server.url("/audited"))
      assert.strictEqual((yield* ask("administrator", "POST", path, { url: server.url("/audited") })).status, 409)
      yield* end(made.id)
      const sql = yield* SqlClient
      const entries = yield* sql`
        select username, action, target from audit_entry where domain = 'blocklist-subscription' order by id desc limit 2`
      const entry = { username: "root", target: { subscriptionId: made.id, url: server.url("/audited") } }
      assert.deepStrictEqual(entries, [
        { ...entry, action: "delete" },
        { ...entry, action: "create" }
      ])
    })
  )
})

layer(node, { excludeTestServices: true, timeout: 60_000 })("The public log of blocks", (it) => {
  const read = Effect.fnUntraced(function* (startDate: string) {
    const answer = yield* ask("anonymous", "GET", `${root}/public-log?startDate=${startDate}`)
    assert.strictEqual(answer.status, 200, answer.text)
    return yield* log(answer.json)
  })

  it.effect("has the last thing that moderators did by hand to each, in the form that others subscribe to", () =>
    Effect.gen(function* () {
      const server = yield* ListServer
      yield* meet("rude", "c.example")
      yield* byHand("POST", "a.example")
      yield* byHand("POST", "b.example")
      yield* byHand("DELETE", "a.example")
      yield* ask("moderator", "POST", `${root}/accounts`, { accountName: "rude@c.example" })
      yield* ask("moderator", "POST", `${root}/accounts`, { accountName: "stranger" })
      // What users mute is theirs, and what came from others is theirs to publish.
      yield* ask("owner", "POST", "/users/me/blocklist/servers", { host: "private.example" })
      server.publish("/others", document("Others", [["block", "others.example", time(1)]]))
      const { id } = yield* subscribe(server.url("/others"))
      yield* fetchAll
      yield* end(id)

      const { actions, name } = yield* read("1970-01-01T00:00:00.000Z")
      assert.strictEqual(name, (yield* KinoraConfig).instance.name)
      assert.deepStrictEqual(
        actions.map(({ target, type }) => [type, target]),
        [
          ["block", "b.example"],
          ["unblock", "a.example"],
          ["block", "rude@c.example"],
          ["block", "stranger@localhost:9000"]
        ]
      )
      const later = yield* read(actions[2]!.createdAt)
      assert.deepStrictEqual(
        later.actions.map(({ target }) => target),
        ["rude@c.example", "stranger@localhost:9000"]
      )
      assert.deepStrictEqual((yield* read("2999-01-01")).actions, [])

      // Another instance that subscribes to it comes to the same.
      server.publish("/ours", { name, actions })
      const again = yield* subscribe(server.url("/ours"))
      yield* byHand("DELETE", "b.example")
      yield* fetchAll
      assert.deepStrictEqual(yield* hosts(), [["b.example", name]])
      yield* end(again.id)
      for (const startDate of ["", "yesterday", "x"]) {
        assert.deepStrictEqual(refused(yield* ask("anonymous", "GET", `${root}/public-log?startDate=${startDate}`)), [
          "startDate"
        ])
      }
      assert.deepStrictEqual(refused(yield* ask("anonymous", "GET", `${root}/public-log`)), ["startDate"])
      const audited = yield* (yield* SqlClient)`
        select action, target from audit_entry where domain = 'server-blocklist' order by id limit 3`
      assert.deepStrictEqual(audited, [
        { action: "block-server", target: { host: "a.example" } },
        { action: "block-server", target: { host: "b.example" } },
        { action: "unblock-server", target: { host: "a.example" } }
      ])
    })
  )

  it.effect("is there only where the instance wants it", () =>
    Effect.gen(function* () {
      const { blocklist } = yield* KinoraConfig
      Object.assign(blocklist.public_log, { enabled: false })
      const answer = yield* ask("administrator", "GET", `${root}/public-log?startDate=2020-01-01`)
      assert.strictEqual(answer.status, 403)
    })
  )
})
