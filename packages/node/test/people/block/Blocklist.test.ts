import { assert, layer } from "@effect/vitest"
import { AccountBlockList, BlockStatus, ServerBlockList } from "@kinora/domain/wire/Block"
import { VideoList } from "@kinora/domain/wire/Video"
import { Effect, Schema } from "effect"
import { addVideo } from "../../video/list/Videos.ts"
import { ask, crewNode, type Member, refused } from "../channel/Crew.ts"

const accounts = Schema.decodeUnknownEffect(AccountBlockList)
const servers = Schema.decodeUnknownEffect(ServerBlockList)
const statuses = Schema.decodeUnknownEffect(BlockStatus)
const videos = Schema.decodeUnknownEffect(VideoList)

const mine = "/users/me/blocklist"
const ours = "/server/blocklist"

const accountsOf = (who: Member, path: string) =>
  Effect.flatMap(ask(who, "GET", path), ({ json, status }) => {
    assert.strictEqual(status, 200)
    return accounts(json)
  })

const listed = Effect.fnUntraced(function* (who: Member, uuid: string) {
  const { data } = yield* videos((yield* ask(who, "GET", "/videos?count=100")).json)
  return data.some((video) => video.uuid === uuid)
})

const status = Effect.fnUntraced(function* (who: Member, query: string) {
  const answer = yield* ask(who, "GET", `/blocklist/status?${query}`)
  assert.strictEqual(answer.status, 200)
  return yield* statuses(answer.json)
})

layer(crewNode(), { excludeTestServices: true, timeout: 60_000 })("Muted accounts and instances", (it) => {
  it.effect("of a user are theirs alone: listed, found, and hidden from them", () =>
    Effect.gen(function* () {
      const { uuid } = yield* addVideo({ owner: "owner" })
      assert.isTrue(yield* listed("stranger", uuid))
      for (const _ of [1, 2]) {
        assert.strictEqual((yield* ask("stranger", "POST", `${mine}/accounts`, { accountName: "owner" })).status, 204)
      }
      assert.strictEqual((yield* ask("stranger", "POST", `${mine}/accounts`, { accountName: "helper" })).status, 204)
      assert.isFalse(yield* listed("stranger", uuid))
      assert.isTrue(yield* listed("helper", uuid))
      assert.isTrue(yield* listed("anonymous", uuid))

      const all = yield* accountsOf("stranger", `${mine}/accounts`)
      assert.deepStrictEqual(
        all.data.map((block) => [block.byAccount.name, block.blockedAccount.name, block.blocklistSubscription]),
        [
          ["stranger", "helper", null],
          ["stranger", "owner", null]
        ]
      )
      const oldest = yield* accountsOf("stranger", `${mine}/accounts?sort=createdAt&count=1`)
      assert.deepStrictEqual([oldest.total, oldest.data.map((it) => it.blockedAccount.name)], [2, ["owner"]])
      const found = yield* accountsOf("stranger", `${mine}/accounts?search=OWN`)
      assert.deepStrictEqual([found.total, found.data.length], [1, 1])
      assert.strictEqual((yield* accountsOf("stranger", `${mine}/accounts?search=%25`)).total, 0)
      assert.strictEqual((yield* accountsOf("helper", `${mine}/accounts`)).total, 0)

      assert.strictEqual((yield* ask("stranger", "DELETE", `${mine}/accounts/owner`)).status, 204)
      assert.strictEqual((yield* ask("stranger", "DELETE", `${mine}/accounts/owner`)).status, 404)
      assert.isTrue(yield* listed("stranger", uuid))
    })
  )

  it.effect("of the instance hold for everybody, and name it as who mutes", () =>
    Effect.gen(function* () {
      const { uuid } = yield* addVideo({ owner: "owner" })
      assert.strictEqual((yield* ask("moderator", "POST", `${ours}/accounts`, { accountName: "owner" })).status, 204)
      assert.isFalse(yield* listed("anonymous", uuid))
      assert.isFalse(yield* listed("stranger", uuid))
      const { data } = yield* accountsOf("moderator", `${ours}/accounts`)
      assert.deepStrictEqual(
        data.map((block) => block.blockedAccount.name),
        ["owner"]
      )
      assert.notStrictEqual(data[0]!.byAccount.name, "moderator")
      assert.strictEqual((yield* ask("moderator", "DELETE", `${ours}/accounts/owner`)).status, 204)
      assert.isTrue(yield* listed("anonymous", uuid))
    })
  )

  it.effect("may be instances, also those that were never heard of", () =>
    Effect.gen(function* () {
      for (const [who, path] of [
        ["stranger", mine],
        ["moderator", ours]
      ] as const) {
        assert.strictEqual((yield* ask(who, "POST", `${path}/servers`, { host: "Videos.Example" })).status, 204)
        assert.strictEqual((yield* ask(who, "POST", `${path}/servers`, { host: "other.example" })).status, 204)
        const list = yield* servers((yield* ask(who, "GET", `${path}/servers?search=videos`)).json)
        assert.deepStrictEqual(
          [list.total, list.data.map(({ blockedServer }) => blockedServer.host)],
          [1, ["videos.example"]]
        )
        assert.strictEqual((yield* ask(who, "DELETE", `${path}/servers/other.example`)).status, 204)
        assert.strictEqual((yield* ask(who, "DELETE", `${path}/servers/other.example`)).status, 404)
        assert.strictEqual((yield* ask(who, "DELETE", `${path}/servers/never.example`)).status, 404)
      }
    })
  )

  it.effect("are told to whoever asks about them, by the text they asked with", () =>
    Effect.gen(function* () {
      yield* ask("helper", "POST", `${mine}/accounts`, { accountName: "stranger" })
      yield* ask("moderator", "POST", `${ours}/servers`, { host: "muted.example" })
      const nobody = { blockedByServer: false, blockedByServerSubscription: null, blockedByUser: false }
      const question =
        "accounts=stranger&accounts=owner@elsewhere.example&hosts[]=muted.example&hosts[]=unknown.example"
      const mineToo = yield* status("helper", question)
      assert.deepStrictEqual(mineToo, {
        accounts: { stranger: { ...nobody, blockedByUser: true }, "owner@elsewhere.example": nobody },
        hosts: { "muted.example": { ...nobody, blockedByServer: true }, "unknown.example": nobody }
      })
      const anonymous = yield* status("anonymous", question)
      assert.deepStrictEqual(anonymous.accounts["stranger"], nobody)
      assert.isTrue(anonymous.hosts["muted.example"]!.blockedByServer)
      assert.deepStrictEqual(yield* status("anonymous", ""), { accounts: {}, hosts: {} })
    })
  )

  it.effect("refuse what nobody can mean", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* ask("owner", "POST", `${mine}/accounts`, { accountName: "owner" })).status, 409)
      assert.strictEqual((yield* ask("owner", "POST", `${mine}/accounts`, { accountName: "nobody_here" })).status, 404)
      assert.strictEqual((yield* ask("owner", "POST", `${mine}/servers`, { host: "localhost:9000" })).status, 409)
      assert.strictEqual((yield* ask("moderator", "POST", `${ours}/servers`, { host: "localhost:9000" })).status, 409)
      for (const accountName of [undefined, "", 7, "a b", "x".repeat(600), ["owner"], null]) {
        assert.deepStrictEqual(refused(yield* ask("owner", "POST", `${mine}/accounts`, { accountName })), [
          "accountName"
        ])
      }
      for (const host of [undefined, "", "https://", "a b.example", "x".repeat(300), "under_score.example", "../etc"]) {
        assert.deepStrictEqual(refused(yield* ask("moderator", "POST", `${ours}/servers`, { host })), ["host"])
      }
      assert.deepStrictEqual(refused(yield* ask("owner", "GET", `${mine}/accounts?sort=name&count=101&start=-1`)), [
        "count",
        "sort",
        "start"
      ])
      assert.deepStrictEqual(refused(yield* ask("owner", "GET", "/blocklist/status?accounts=a%20b&hosts=%00")), [
        "accounts",
        "hosts"
      ])
    })
  )

  it.effect("need a login, and those of the instance a moderator", () =>
    Effect.gen(function* () {
      const requests = (path: string) =>
        [
          ["GET", `${path}/accounts`],
          ["GET", `${path}/servers`],
          ["POST", `${path}/accounts`],
          ["POST", `${path}/servers`],
          ["DELETE", `${path}/accounts/helper`],
          ["DELETE", `${path}/servers/a.example`]
        ] as const
      for (const [method, path] of [...requests(mine), ...requests(ours)]) {
        assert.strictEqual((yield* ask("anonymous", method, path)).status, 401, `${method} ${path}`)
      }
      for (const [method, path] of requests(ours)) {
        assert.strictEqual((yield* ask("owner", method, path)).status, 403, `${method} ${path}`)
      }
    })
  )
})
