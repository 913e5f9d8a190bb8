import { assert, layer } from "@effect/vitest"
import { ViewCounts } from "@kinora/storage/video/view/ViewCounts"
import { ViewingRows } from "@kinora/storage/video/view/ViewingRows"
import { ReadModelRefresher } from "@kinora/storage/video/read/ReadModelRefresher"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { send } from "../../instance/about/Client.ts"
import { People, peopledNode } from "../list/People.ts"
import { addVideo } from "../list/Videos.ts"
import { lasting, later, tell, viewsOf, watch, written } from "./Watching.ts"
import { applyViews } from "@kinora/storage/video/view/AppliedViews"

const node = ReadModelRefresher.layer.pipe(Layer.provideMerge(peopledNode))

const longVideo = Effect.gen(function* () {
  const video = yield* addVideo({ owner: "owner" })
  yield* lasting(video, 300)
  return video
})

layer(node, { excludeTestServices: true })("Views", (it) => {
  it.effect("are counted after the least watching time, once a session, and by day", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { uuid, id } = yield* longVideo
      yield* watch(uuid, 0, 5)
      assert.strictEqual(yield* viewsOf(uuid), 0)
      yield* watch(uuid, 5, 60)
      assert.strictEqual(yield* viewsOf(uuid), 1)
      yield* watch(uuid, 0, 100)
      assert.strictEqual(yield* viewsOf(uuid), 1)
      yield* later(3700)
      yield* watch(uuid, 0, 15)
      assert.strictEqual(yield* viewsOf(uuid), 2)
      const days = yield* sql<{
        views: number
      }>`select sum(views)::int as views from video_view_day where video_id = ${id}`
      assert.strictEqual(days[0]!.views, 2)
      const hot = yield* sql<{ right: boolean }>`
        select hot_score = video_hotness(views, likes, comments, published_at) as right from video where id = ${id}`
      assert.isTrue(hot[0]!.right)
    })
  )

  it.effect("are taken while a live becomes its replay, from those who may see it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const other = yield* addVideo({ owner: "owner", state: 2 })
      assert.strictEqual((yield* tell(other.uuid, { currentTime: 1 })).status, 404, "an upload")
      const { id, uuid } = yield* addVideo({ owner: "owner", state: 2 })
      yield* sql`
        insert into live_session (video_id, holder, ended_at, save_replay, replay_video_id)
        values (${id}, 'here', now(), true, ${id})`
      yield* sql`update video set duration = 0 where id = ${id}`
      assert.strictEqual((yield* tell(uuid, { currentTime: 100 })).status, 204)
      assert.strictEqual((yield* tell(id, { currentTime: 105 })).status, 204)
      const seen = yield* send(`/api/v1/videos/${uuid}`)
      const { state } = JSON.parse(seen.text) as { readonly state: { readonly id: number } }
      assert.strictEqual(state.id, 2, "it does not vanish")
      assert.strictEqual((yield* send(`/api/v1/videos/${uuid}/description`)).status, 404, "nothing else of it")
      yield* sql`update video set privacy = 3 where id = ${id}`
      assert.strictEqual((yield* tell(uuid, { currentTime: 110 })).status, 401, "a private replay")
      yield* sql`update video set privacy = 1 where id = ${id}`
      yield* sql`update live_session set ending_processed = true where video_id = ${id}`
      assert.strictEqual((yield* tell(uuid, { currentTime: 115 })).status, 404)
      assert.strictEqual((yield* send(`/api/v1/videos/${uuid}`)).status, 404)
    })
  )

  it.effect("are counted by the two older routes as well", () =>
    Effect.gen(function* () {
      const { uuid } = yield* longVideo
      assert.strictEqual((yield* tell(uuid, { currentTime: 1 }, {}, "PUT watching")).status, 204)
      yield* later(12)
      const last = yield* tell(uuid, { currentTime: 13 }, {}, "POST watching")
      assert.deepStrictEqual([last.status, last.text], [204, ""])
      assert.strictEqual(yield* viewsOf(uuid), 1)
    })
  )

  it.effect("cannot be had by telling more than time can have passed, by jumping, or by telling again", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { id, uuid } = yield* longVideo
      for (let at = 0; at <= 300; at += 5) yield* tell(uuid, { currentTime: at })
      yield* written
      for (let at = 0; at <= 12; at += 1) {
        yield* tell(uuid, { currentTime: at })
        yield* written
      }
      // However long the machine took for this: at twice the speed, and with three seconds' grace, no more was watched.
      const forged = yield* sql<{ kept: boolean }>`
        select watch_time <= extract(epoch from seen_at - started_at) * 2 + 3
          and (counted_at is null or watch_time >= 10) as kept
        from video_viewing where video_id = ${id}`
      assert.deepStrictEqual(forged, [{ kept: true }])
      const jumping = yield* longVideo
      yield* tell(jumping.uuid, { currentTime: 0 })
      for (const at of [60, 120, 180]) {
        yield* later(120)
        yield* tell(jumping.uuid, { currentTime: at, viewEvent: "seek" })
      }
      yield* later(20)
      yield* tell(jumping.uuid, { currentTime: 250 })
      yield* later(20)
      yield* tell(jumping.uuid, { currentTime: 249 })
      assert.strictEqual(yield* viewsOf(jumping.uuid), 0)
    })
  )

  it.effect("need all of a short video but its end", () =>
    Effect.gen(function* () {
      const { uuid } = yield* addVideo({ owner: "owner" })
      yield* watch(uuid, 0, 2)
      assert.strictEqual(yield* viewsOf(uuid), 0)
      yield* watch(uuid, 2, 4)
      assert.strictEqual(yield* viewsOf(uuid), 1)
    })
  )

  it.effect("do not multiply by a forwarded address that nobody vouches for, and hardly by made-up sessions", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const spoofed = yield* longVideo
      // The proxy on this machine, which is trusted, appends the client; what comes before is the client's invention.
      for (let n = 1; n <= 5; n++) {
        const headers = { "x-forwarded-for": `198.51.100.${n}, 203.0.113.5`, "x-real-ip": `198.51.100.${n}` }
        yield* tell(spoofed.uuid, { currentTime: 0 }, headers)
      }
      const flooded = yield* longVideo
      for (let n = 1; n <= 45; n++) yield* tell(flooded.uuid, { currentTime: 0, sessionId: `session-${n}` })
      yield* written
      for (let n = 46; n <= 70; n++) yield* tell(flooded.uuid, { currentTime: 0, sessionId: `session-${n}` })
      yield* written
      const sessions = yield* sql<{ id: number; count: number }>`
        select video_id as id, count(*)::int as count from video_viewing group by 1`
      const of = new Map(sessions.map(({ count, id }) => [id, count]))
      assert.strictEqual(of.get(spoofed.id), 1)
      assert.strictEqual(of.get(flooded.id), 50)
    })
  )

  it.effect("tell users, players and browsers apart, and keep nothing of who they are", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { owner, other } = yield* People
      const { uuid, id } = yield* longVideo
      const known = { authorization: `Bearer ${owner}` }
      yield* tell(uuid, { currentTime: 0, sessionId: "at-home" }, known)
      yield* tell(uuid, { currentTime: 0, sessionId: "on-the-train" }, known)
      yield* tell(uuid, { currentTime: 0 }, { authorization: `Bearer ${other}` })
      yield* tell(uuid, { currentTime: 0, sessionId: "at-home" })
      yield* tell(uuid, { currentTime: 0 }, { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" })
      yield* tell(uuid, { currentTime: 0 }, { "user-agent": "VLC/3.0" })
      yield* written
      const rows = yield* sql<{ viewer: string; row: string }>`
        select encode(viewer, 'hex') as viewer, row_to_json(v)::text as row from video_viewing v where video_id = ${id}`
      assert.strictEqual(rows.length, 5)
      for (const { row } of rows) {
        for (const clear of ["127.0.0.1", "at-home", "on-the-train", "Mozilla", "140.0"]) assert.notInclude(row, clear)
      }
      yield* later(3601)
      yield* (yield* ViewingRows).end(3600)
      const left = yield* sql<{ count: number }>`
        select count(*)::int from video_viewing where video_id = ${id} and (viewer is not null or address is not null)`
      assert.strictEqual(left[0]!.count, 0)
    })
  )

  it.effect("viewers of now stand in details and lists, without voiding the read model", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const counts = yield* ViewCounts
      const { uuid, id } = yield* longVideo
      yield* (yield* ReadModelRefresher).refresh(1000)
      for (const sessionId of ["a", "b", "c"]) yield* tell(uuid, { currentTime: 0, sessionId })
      yield* written
      yield* counts.refreshViewers(120)
      const ready = yield* sql<{ ready: boolean }>`
        select summary is not null and details is not null as ready from video_read_model where video_id = ${id}`
      assert.isTrue(ready[0]!.ready)
      const viewers = Effect.gen(function* () {
        const details = (yield* send(`/api/v1/videos/${uuid}`)).json
        const list = (yield* send("/api/v1/videos?count=100")).json.data
        return [details.viewers, list.find((one: { id: number }) => one.id === id).viewers]
      })
      assert.deepStrictEqual(yield* viewers, [3, 3])
      // Made anew, they are the same.
      yield* sql`update video set name = 'Another name' where id = ${id}`
      assert.deepStrictEqual(yield* viewers, [3, 3])
      yield* later(130)
      yield* counts.refreshViewers(120)
      assert.deepStrictEqual(yield* viewers, [0, 0])
    })
  )

  it.effect("of videos one may not see are refused, and of what is not told well", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { owner, other } = yield* People
      const hidden = yield* addVideo({ owner: "owner", privacy: 3 })
      const locked = yield* addVideo({ owner: "owner", privacy: 5, passwords: ["open sesame"] })
      const open = yield* longVideo
      const said = { currentTime: 0 }
      assert.strictEqual((yield* tell(hidden.uuid, said)).status, 401)
      assert.strictEqual((yield* tell(hidden.uuid, said, { authorization: `Bearer ${other}` })).status, 403)
      assert.strictEqual((yield* tell(hidden.id, said)).status, 404)
      assert.strictEqual((yield* tell(999_999, said)).status, 404)
      assert.strictEqual((yield* tell(hidden.uuid, said, { authorization: `Bearer ${owner}` })).status, 204)
      assert.strictEqual((yield* tell(locked.uuid, said)).json.code, "video_requires_password")
      const wrong = yield* tell(locked.uuid, said, { "x-peertube-video-password": "wrong" })
      assert.deepStrictEqual([wrong.status, wrong.json.code], [403, "incorrect_video_password"])
      assert.strictEqual((yield* tell(locked.uuid, said, { "x-peertube-video-password": "open sesame" })).status, 204)
      for (const [body, fields] of [
        [{}, ["currentTime"]],
        [
          { currentTime: -1, viewEvent: "play", device: "fridge", client: "x".repeat(201) },
          ["currentTime", "viewEvent", "client", "device"]
        ],
        [{ currentTime: "soon" }, ["currentTime"]],
        [{ currentTime: 1e300 }, ["currentTime"]],
        [{ currentTime: 303 }, ["currentTime"]],
        [{ currentTime: 0, sessionId: "a\u0000b", operatingSystem: 7 }, ["sessionId", "operatingSystem"]]
      ] as const) {
        const answer = yield* tell(open.uuid, body)
        assert.strictEqual(answer.status, 400, JSON.stringify(body))
        assert.sameMembers(Object.keys(answer.json["invalid-params"]), [...fields])
      }
      yield* written
      const rows = yield* sql`select 1 from video_viewing where video_id = ${open.id}`
      assert.strictEqual(rows.length, 0)
    })
  )

  it.effect(
    "of a video that is deleted meanwhile are passed by, and of one of another instance counted there alone",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const gone = yield* longVideo
        const remote = yield* longVideo
        const here = yield* longVideo
        yield* sql`update video set remote = true where id = ${remote.id}`
        for (const { uuid } of [gone, remote, here]) yield* tell(uuid, { currentTime: 3.7 })
        yield* sql`delete from video where id = ${gone.id}`
        yield* written
        const rows = yield* sql<{ id: number; position: number }>`
        select video_id as id, position from video_viewing where video_id in ${sql.in([gone.id, remote.id, here.id])}`
        assert.sameDeepMembers(
          [...rows],
          [
            { id: remote.id, position: 3 },
            { id: here.id, position: 3 }
          ]
        )
        yield* sql`update video_viewing set counted_at = now() where video_id = ${remote.id}`
        yield* applyViews(sql)(remote.id)
        assert.deepStrictEqual(yield* sql`select views from video where id = ${remote.id}`, [{ views: 0 }])
      })
  )
})
