import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { People, peopledNode } from "../../video/list/People.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { ask, say } from "../comment/Talk.ts"
import { abuses, accountOf, idsOf, myAbuses, noReports, report } from "./AbuseClient.ts"

/** A report that came from another instance, as its Flag was applied. */
const flagged = Effect.fn("flagged")(function* (videoId: number) {
  const sql = yield* SqlClient
  yield* sql`insert into server (host) values ('far.example') on conflict do nothing`
  const [far] = yield* sql<{ id: number }>`
    insert into actor (type, preferred_username, server_id, url, inbox_url, public_key)
    select 'Person', 'alice', id, 'https://far.example/alice', 'https://far.example/inbox', 'k' from server
    where host = 'far.example' returning id`
  const [account] = yield* sql<{ id: number }>`
    insert into account (actor_id, display_name) values (${far!.id}, 'Alice of Afar') returning id`
  const [row] = yield* sql<{ id: number }>`
    insert into abuse (reason, reporter_account_id, flagged_account_id, kind, video_id, target, url)
    select 'Flagged', ${account!.id}, v.account_id, 'video', v.id, jsonb_build_object('id', v.id, 'uuid', v.uuid, 'name', v.name,
      'nsfw', v.nsfw, 'channelId', v.channel_id), 'https://far.example/flags/1' from video v where v.id = ${videoId} returning id`
  return row!.id
})

layer(peopledNode, { excludeTestServices: true, timeout: 120_000 })("lists of reports", (it) => {
  it.effect("are filtered, searched and sorted", () =>
    Effect.gen(function* () {
      const { administrator, moderator, other, owner } = yield* People
      const sql = yield* SqlClient
      const [film, blocked, gone] = [
        yield* addVideo({ owner: "owner" }),
        yield* addVideo({ owner: "other" }),
        yield* addVideo({ owner: "owner" })
      ]
      yield* sql`update video set name = 'Ein schöner Film 100%' where id = ${film.id}`
      yield* sql`update account set display_name = 'Otto Örtlich' where id = ${yield* accountOf("other")}`
      const said = yield* say(other, film.uuid, "Crude joke")
      const [a, b, c, d, e] = [
        yield* report(other, {
          reason: "It hurts",
          predefinedReasons: ["privacy", "rights"],
          video: { id: film.uuid }
        }),
        yield* report(owner, { predefinedReasons: ["captions"], video: { id: blocked.uuid } }),
        yield* report(owner, { predefinedReasons: ["violentOrAbusive"], comment: { id: said.id } }),
        yield* report(other, { account: { id: yield* accountOf("moderator") } }),
        yield* report(administrator, { video: { id: gone.uuid } })
      ]
      const f = yield* flagged(film.id)
      yield* sql`insert into video_blacklist (video_id) values (${blocked.id})`
      yield* sql`delete from video where id = ${gone.id}`
      yield* ask("PUT", `/abuses/${b}`, moderator, { state: 3 })
      yield* ask("PUT", `/abuses/${a}`, moderator, { state: 2 })

      const ids = (query: string) => Effect.map(abuses(administrator, `?sort=id&${query}`), idsOf)
      for (const [query, ...expected] of [
        ["", a, b, c, d, e, f],
        [`id=${c}`, c],
        ["id=2000000000"],
        ["state=1", c, d, e, f],
        ["state=2", a],
        ["state=3", b],
        ["filter=video", a, b, e, f],
        ["filter=comment", c],
        ["filter=account", d],
        ["predefinedReason=privacy", a],
        ["predefinedReason=violentOrRepulsive", c],
        ["predefinedReason=captions&predefinedReason=rights", a, b],
        ["predefinedReason[]=captions", b],
        ["predefinedReason=serverRules"],
        ["videoIs=deleted", e],
        ["videoIs=blacklisted", b],
        ["searchReporter=other", a, d],
        ["searchReporter=ortlich", a, d],
        ["searchReporter=alice@far", f],
        ["searchReporter=nobody"],
        ["searchReportee=owner", a, e, f],
        ["searchReportee=moderator", d],
        ["searchVideo=schoner", a, c, f],
        ["searchVideo=100%25", a, c, f],
        ["searchVideo=%25", a, c, f],
        ["searchVideo=Video of owner", e],
        ["searchVideoChannel=owner_channel", a, c, e, f],
        ["searchVideoChannel=other_channel", b],
        ["searchVideoChannel=none"],
        ["search=hurts", a],
        ["search=crude", c],
        ["search=schoner", a, c, f],
        ["search=root", e],
        ["search=alice", f],
        ["search=", a, b, c, d, e, f],
        ["search=' or 1=1 --"],
        ["searchReporter=other&filter=account", d]
      ] as ReadonlyArray<readonly [string, ...ReadonlyArray<number>]>) {
        assert.deepStrictEqual([query, ...(yield* ids(query))], [query, ...expected])
      }
      const order = (sort: string, query = "") => Effect.map(abuses(administrator, `?sort=${sort}${query}`), idsOf)
      assert.deepStrictEqual(yield* order("-id"), [f, e, d, c, b, a])
      assert.deepStrictEqual(yield* order("createdAt"), [a, b, c, d, e, f])
      assert.deepStrictEqual(idsOf(yield* abuses(administrator)), [f, e, d, c, b, a])
      assert.deepStrictEqual(yield* order("state"), [c, d, e, f, a, b])
      assert.deepStrictEqual(yield* order("-state"), [b, a, f, e, d, c])
      assert.deepStrictEqual(yield* order("id", "&start=2&count=2"), [c, d])
      const none = yield* abuses(administrator, "?count=0&state=1")
      assert.deepStrictEqual([none.total, none.data], [4, []])
      assert.strictEqual((yield* abuses(administrator, "?start=5&count=10")).data.length, 1)

      // What came from elsewhere stands in the same list.
      const [came] = (yield* abuses(administrator, `?id=${f}`)).data
      assert.deepInclude(came.reporterAccount, { name: "alice", host: "far.example", displayName: "Alice of Afar" })
      assert.deepStrictEqual([came.video.countReports, came.video.nthReport, came.reason], [2, 2, "Flagged"])

      assert.deepStrictEqual(idsOf(yield* myAbuses(other, "?state=2")), [a])
      assert.deepStrictEqual(idsOf(yield* myAbuses(other, "?sort=id")), [a, d])
      assert.deepStrictEqual(idsOf(yield* myAbuses(other, `?id=${b}`)), [], "of somebody else")
      for (const query of [
        ...[
          "sort=reason",
          "sort=id;drop table abuse",
          "state=4",
          "filter=channel",
          "videoIs=private",
          "id=0",
          "count=101"
        ],
        ...[
          "predefinedReason=none",
          `predefinedReason=${Array.from({ length: 9 }, () => "privacy").join("&predefinedReason=")}`
        ],
        `search=${"x".repeat(501)}`
      ]) {
        assert.deepStrictEqual([query, (yield* ask("GET", `/abuses?${query}`, moderator)).status], [query, 400])
      }

      // Those by accounts and instances that are muted are in no list of who mutes them.
      yield* ask("POST", "/users/me/blocklist/accounts", moderator, { accountName: "owner" })
      const seen = (token: string) => Effect.map(abuses(token, "?sort=id"), idsOf)
      assert.deepStrictEqual(yield* seen(moderator), [a, e, f])
      assert.deepStrictEqual(yield* seen(administrator), [a, b, c, d, e, f])
      yield* ask("POST", "/server/blocklist/servers", administrator, { hosts: ["far.example"] })
      yield* ask("POST", "/server/blocklist/servers", administrator, { host: "far.example" })
      yield* ask("POST", "/server/blocklist/accounts", administrator, { accountName: "other" })
      assert.deepStrictEqual(yield* seen(administrator), [b, c, e])
      yield* sql`delete from account_block`
      yield* sql`delete from server_block`
      yield* noReports
    })
  )
})
