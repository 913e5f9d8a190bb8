import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { bearer, send } from "../../instance/about/Client.ts"
import { People, peopledNode } from "./People.ts"
import { addVideo } from "./Videos.ts"

const uuids = (json: { readonly data: ReadonlyArray<{ readonly uuid: string }> }) =>
  json.data.map((video) => video.uuid)

layer(peopledNode, { excludeTestServices: true })("Lists of videos", (it) => {
  it.effect("show what is listed, and the rest to moderators who ask for it", () =>
    Effect.gen(function* () {
      const tokens = yield* People
      const shown = yield* addVideo({ owner: "owner" })
      const hidden = yield* addVideo({ owner: "owner", privacy: 3 })
      for (const path of [
        "/api/v1/videos",
        "/api/v1/accounts/owner/videos",
        "/api/v1/accounts/owner@localhost:9000/videos",
        "/api/v1/video-channels/owner_channel/videos"
      ]) {
        const everybody = yield* send(path)
        assert.strictEqual(everybody.status, 200, path)
        assert.include(uuids(everybody.json), shown.uuid)
        assert.notInclude(everybody.text, hidden.uuid)
        const asked = `${path}?privacyOneOf=1&privacyOneOf=3&include=1`
        assert.strictEqual((yield* send(asked)).status, 401)
        assert.strictEqual((yield* send(asked, bearer(tokens.owner))).status, 403)
        assert.include(uuids((yield* send(asked, bearer(tokens.moderator))).json), hidden.uuid)
      }
      assert.strictEqual((yield* send("/api/v1/accounts/other/videos")).json.total, 0)
    })
  )

  it.effect("tell moderators what the rules of the instance have found", () =>
    Effect.gen(function* () {
      const tokens = yield* People
      const sql = yield* SqlClient
      const found = yield* addVideo({ owner: "owner" })
      const another = yield* addVideo({ owner: "owner" })
      yield* sql`
        insert into video_automatic_tag (video_id, account_id, name)
        select ${found.id}, c.id, 'external-link' from account c join actor a on a.id = c.actor_id
        where a.server_id is null and a.type = 'Application'`
      yield* sql`
        insert into video_automatic_tag (video_id, account_id, name)
        select ${another.id}, account_id, 'external-link' from video where id = ${another.id}`
      const path = "/api/v1/videos?autoTagOneOf=External-Link"
      assert.strictEqual((yield* send(path)).status, 401)
      assert.strictEqual((yield* send(path, bearer(tokens.owner))).status, 403)
      const { json } = yield* send(path, bearer(tokens.moderator))
      assert.deepStrictEqual([json.total, uuids(json)], [1, [found.uuid]])
      assert.strictEqual((yield* send("/api/v1/videos?autoTagOneOf=x", bearer(tokens.moderator))).json.total, 0)
    })
  )

  it.effect("are paged within bounds and sorted by known columns only", () =>
    Effect.gen(function* () {
      yield* addVideo({ owner: "owner" })
      const empty = yield* send("/api/v1/videos?count=0")
      assert.deepStrictEqual([empty.status, empty.json.data.length], [200, 0])
      assert.isAbove(empty.json.total, 0)
      for (const query of [
        "count=-1",
        "count=101",
        "count=1e9",
        "start=-1",
        "start=9007199254740992",
        "sort=nothing",
        "sort=name;drop"
      ]) {
        const answer = yield* send(`/api/v1/videos?${query}`)
        assert.strictEqual(answer.status, 400, query)
        assert.strictEqual(answer.json.detail, `Incorrect request parameters: ${query.split("=")[0]}`)
      }
    })
  )

  it.effect("of nobody are 404, and labels are told by id", () =>
    Effect.gen(function* () {
      const account = yield* send("/api/v1/accounts/nobody")
      assert.deepInclude(account.json, { status: 404, detail: "Account not found", type: "about:blank" })
      assert.strictEqual((yield* send("/api/v1/video-channels/nobody/videos")).json.detail, "Video channel not found")
      assert.strictEqual((yield* send("/api/v1/video-channels/root_channel")).json.ownerAccount.name, "root")
      assert.strictEqual((yield* send("/api/v1/accounts/root")).json.host, "localhost:9000")
      assert.strictEqual((yield* send("/api/v1/videos/categories")).json["1"], "Music")
      assert.strictEqual((yield* send("/api/v1/videos/privacies")).json["5"], "Password protected")
      assert.strictEqual((yield* send("/api/v1/videos/licences")).json["7"], "Public Domain Dedication")
      const all = (yield* send("/api/v1/videos/languages")).json
      assert.strictEqual(all.sgn !== undefined || all.ase !== undefined, true)
      assert.strictEqual((yield* send("/api/v1/videos/languages?scope=subtitle")).json.ase, undefined)
      const bad = yield* send("/api/v1/videos/zzzz")
      assert.deepInclude(bad.json, { status: 400, detail: "Incorrect request parameters: id" })
    })
  )
})
