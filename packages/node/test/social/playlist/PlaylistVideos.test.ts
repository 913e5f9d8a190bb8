import { assert, layer } from "@effect/vitest"
import { toShortUuid } from "@kinora/domain/ids/ShortUuid"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomUUID } from "node:crypto"
import { remoteVideo } from "../../federation/outbox/Recorded.ts"
import { peopledNode, type Person } from "../../video/list/People.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { ask, elements, make, playlist, put } from "./PlaylistClient.ts"

const accountOf = (username: string) =>
  Effect.flatMap(SqlClient, (sql) =>
    Effect.map(
      sql<{
        id: number
      }>`select a.id from account a join app_user u on u.id = a.user_id where u.username = ${username}`,
      (rows) => rows[0]!.id
    )
  )

/** Row ids of the videos in their order; checks that places are 1 to n. */
const order = Effect.fn("order")(function* (id: number) {
  const { data, total } = yield* elements(id, "owner", "?count=100")
  assert.deepStrictEqual(
    data.map(({ position }) => position),
    Array.from({ length: total }, (_, index) => index + 1)
  )
  return data.map(({ video }) => video?.id)
})

layer(peopledNode, { excludeTestServices: true, timeout: 120_000 })("what stands in playlists", (it) => {
  it.effect("is put in, moved and taken out, and keeps its places", () =>
    Effect.gen(function* () {
      const videos = yield* Effect.forEach([0, 1, 2, 3, 4], () => addVideo({ owner: "owner" }))
      const [a, b, c, d, e] = videos.map(({ id }) => id)
      const { id, uuid } = yield* make({ displayName: "Ordered", privacy: 2 })
      const first = yield* put(id, a!)
      for (const video of [videos[1]!.uuid, c!, d!, e!]) yield* put(id, video)
      assert.deepStrictEqual(yield* order(id), [a, b, c, d, e])
      const before = (yield* playlist(id)).updatedAt
      const move = (body: Readonly<Record<string, unknown>>, who: Person = "owner") =>
        Effect.map(ask(who, "POST", `/video-playlists/${uuid}/videos/reorder`, body), ({ status }) => status)
      assert.strictEqual(yield* move({ startPosition: 1, insertAfterPosition: 3 }), 204)
      assert.deepStrictEqual(yield* order(id), [b, c, a, d, e])
      assert.strictEqual(yield* move({ startPosition: 4, insertAfterPosition: 0, reorderLength: 2 }), 204)
      assert.deepStrictEqual(yield* order(id), [d, e, b, c, a])
      assert.strictEqual(yield* move({ startPosition: 2, insertAfterPosition: 3, reorderLength: 3 }), 204)
      assert.deepStrictEqual(yield* order(id), [d, e, b, c, a])
      assert.isAbove(Date.parse((yield* playlist(id)).updatedAt), Date.parse(before))
      const wrong = yield* ask("owner", "POST", `/video-playlists/${id}/videos/reorder`, {
        startPosition: 0,
        insertAfterPosition: "x",
        reorderLength: 0
      })
      assert.sameMembers(Object.keys(wrong.json["invalid-params"]), [
        "startPosition",
        "insertAfterPosition",
        "reorderLength"
      ])
      for (const body of [
        { startPosition: 6, insertAfterPosition: 0 },
        { startPosition: 1, insertAfterPosition: 6 },
        { startPosition: 4, insertAfterPosition: 0, reorderLength: 3 }
      ]) {
        assert.strictEqual(yield* move(body), 400)
      }
      assert.strictEqual(yield* move({ startPosition: 1, insertAfterPosition: 2 }, "other"), 403)

      // The same video again, as often as one likes; what is taken out closes its gap.
      const again = yield* put(id, b!, { startTimestamp: 1, stopTimestamp: 4 })
      assert.deepStrictEqual(yield* order(id), [d, e, b, c, a, b])
      assert.strictEqual((yield* playlist(uuid)).videosLength, 6)
      const elementPath = (element: number) => `/video-playlists/${id}/videos/${element}`
      assert.strictEqual((yield* ask("owner", "DELETE", elementPath(first))).status, 204)
      assert.deepStrictEqual(yield* order(id), [d, e, b, c, b])
      assert.strictEqual((yield* ask("owner", "DELETE", elementPath(first))).status, 404)
      const elsewhere = yield* make({ displayName: "Elsewhere" })
      const foreign = `/video-playlists/${elsewhere.id}/videos/${again}`
      assert.strictEqual((yield* ask("owner", "DELETE", foreign)).status, 404)
      assert.strictEqual((yield* ask("owner", "PUT", foreign, { startTimestamp: 1 })).status, 404)
      assert.deepStrictEqual(
        (yield* elements(id, "owner", "?start=1&count=2")).data.map(({ position }) => position),
        [2, 3]
      )
    })
  )

  it.effect("begins and ends where it is told to", () =>
    Effect.gen(function* () {
      const { id: videoId } = yield* addVideo({ owner: "owner" })
      const { id } = yield* make({ displayName: "Timed", privacy: 2 })
      const element = yield* put(id, videoId, { startTimestamp: 2, stopTimestamp: null })
      const times = Effect.map(elements(id), ({ data: [it] }) => [it!.startTimestamp, it!.stopTimestamp])
      const change = (body: Readonly<Record<string, unknown>> | URLSearchParams, who: Person = "owner") =>
        Effect.map(ask(who, "PUT", `/video-playlists/${id}/videos/${element}`, body), ({ status }) => status)
      assert.deepStrictEqual(yield* times, [2, null])
      assert.strictEqual(yield* change({ stopTimestamp: 4 }), 204)
      assert.deepStrictEqual(yield* times, [2, 4])
      assert.strictEqual((yield* ask("owner", "PUT", `/video-playlists/${id}/videos/${element}`)).status, 204)
      assert.deepStrictEqual(yield* times, [2, 4])
      assert.strictEqual(yield* change(new URLSearchParams({ startTimestamp: "", stopTimestamp: "3" })), 204)
      assert.deepStrictEqual(yield* times, [null, 3])
      for (const body of [
        { startTimestamp: 3 },
        { startTimestamp: 9, stopTimestamp: 8 },
        { startTimestamp: -1 },
        { stopTimestamp: 1.5 }
      ]) {
        assert.strictEqual(yield* change(body), 400)
      }
      assert.strictEqual(yield* change({ startTimestamp: 1 }, "other"), 404)
      assert.deepStrictEqual(yield* times, [null, 3])
      const reversed = { videoId, startTimestamp: 5, stopTimestamp: 5 }
      assert.strictEqual((yield* ask("owner", "POST", `/video-playlists/${id}/videos`, reversed)).status, 400)
    })
  )

  it.effect("shows each viewer what they may see of it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const open = yield* addVideo({ owner: "owner" })
      const unlisted = yield* addVideo({ owner: "owner", privacy: 2 })
      const closed = yield* addVideo({ owner: "owner", privacy: 3 })
      const internal = yield* addVideo({ owner: "owner", privacy: 4 })
      const locked = yield* addVideo({ owner: "owner", privacy: 5, passwords: ["secret"] })
      const blocked = yield* addVideo({ owner: "owner", blacklisted: true })
      const unready = yield* addVideo({ owner: "owner", state: 2 })
      const deleted = yield* addVideo({ owner: "owner" })
      const { uuid } = yield* make({ displayName: "Mixed", privacy: 2 })
      for (const video of [open, unlisted, closed, internal, locked, blocked, unready, deleted])
        yield* put(uuid, video.id)
      yield* sql`delete from video where id = ${deleted.id}`
      const types = (who: Person) =>
        Effect.map(elements(uuid, who), ({ data, total }) => {
          assert.strictEqual(total, 8)
          for (const { type, video } of data) assert.strictEqual(type === 0, video !== null)
          return data.map(({ type }) => type)
        })
      assert.deepStrictEqual(yield* types("owner"), [0, 0, 0, 0, 0, 0, 0, 1])
      assert.deepStrictEqual(yield* types("anonymous"), [0, 0, 2, 2, 2, 3, 3, 1])
      assert.deepStrictEqual(yield* types("other"), [0, 0, 2, 0, 2, 3, 3, 1])
      assert.deepStrictEqual(yield* types("moderator"), [0, 0, 0, 0, 0, 0, 0, 1])
      const text = (yield* ask("anonymous", "GET", `/video-playlists/${uuid}/videos`)).text
      for (const video of [closed, internal, locked, blocked, unready]) assert.notInclude(text, video.uuid)

      yield* sql`insert into account_block (account_id, target_account_id)
        values (${yield* accountOf("other")}, ${yield* accountOf("owner")})`
      assert.deepStrictEqual((yield* types("other")).slice(0, 2), [3, 3])
      assert.deepStrictEqual((yield* types("anonymous")).slice(0, 2), [0, 0])
      yield* sql`delete from account_block`
    })
  )

  it.effect("shows what the instance does not follow to users alone", () =>
    Effect.gen(function* () {
      const afar = yield* remoteVideo("films.example")
      const { uuid } = yield* make({ displayName: "From afar", privacy: 2 })
      yield* put(uuid, afar.id)
      const type = (who: Person) => Effect.map(elements(uuid, who), ({ data }) => data[0]?.type)
      assert.strictEqual(yield* type("anonymous"), 3)
      assert.notInclude((yield* ask("anonymous", "GET", `/video-playlists/${uuid}/videos`)).text, "Elsewhere")
      assert.strictEqual(yield* type("other"), 0)
    })
  )

  it.effect("takes videos its user may see, and tells of no others", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const unlisted = yield* addVideo({ owner: "owner", privacy: 2 })
      const closed = yield* addVideo({ owner: "owner", privacy: 3 })
      const locked = yield* addVideo({ owner: "owner", privacy: 5, passwords: ["secret"] })
      const { id } = yield* make({ displayName: "Theirs" }, "other")
      const add = (videoId: unknown, who: Person = "other") =>
        Effect.map(ask(who, "POST", `/video-playlists/${id}/videos`, { videoId }), ({ status }) => status)
      assert.strictEqual(yield* add(unlisted.id), 404)
      assert.strictEqual(yield* add(unlisted.uuid), 200)
      assert.strictEqual(yield* add(closed.id), 404)
      assert.strictEqual(yield* add(closed.uuid), 403)
      assert.strictEqual(yield* add(locked.id), 200)
      assert.strictEqual(yield* add(2_000_000), 404)
      assert.strictEqual(yield* add("nothing"), 400)
      assert.strictEqual(yield* add(undefined), 400)
      assert.strictEqual(yield* add(unlisted.uuid, "anonymous"), 401)
      // Who has watched it knows it: clients say which one by its number.
      yield* sql`insert into user_video_history (user_id, video_id, current_time_seconds)
        select id, ${unlisted.id}, 1 from app_user where username = 'other'`
      assert.strictEqual(yield* add(unlisted.id), 200)
    })
  )

  it.effect("is found by its videos, in one's own playlists alone", () =>
    Effect.gen(function* () {
      const [a, b, c] = yield* Effect.forEach([0, 1, 2], () => addVideo({ owner: "owner" }))
      const { id, shortUUID } = yield* make({ displayName: `"Quoted" \\ name` })
      const theirs = yield* make({ displayName: "Theirs too" }, "other")
      const first = yield* put(id, a!.id)
      const second = yield* put(id, a!.id, { startTimestamp: 3 })
      yield* put(theirs.id, b!.id, {}, "other")
      const asked = (query: string, who: Person = "owner") =>
        ask(who, "GET", `/users/me/video-playlists/videos-exist${query}`)
      const ids = [a, b, c].map((video) => `videoIds=${video!.id}`).join("&")
      const place = { playlistId: id, playlistDisplayName: `"Quoted" \\ name`, playlistShortUUID: shortUUID }
      assert.deepStrictEqual((yield* asked(`?${ids}`)).json, {
        [a!.id]: [
          { playlistElementId: first, ...place, startTimestamp: null, stopTimestamp: null },
          { playlistElementId: second, ...place, startTimestamp: 3, stopTimestamp: null }
        ],
        [b!.id]: [],
        [c!.id]: []
      })
      const names = [a!.uuid, toShortUuid(a!.uuid), randomUUID()]
      const named = (yield* asked(`?${names.map((name) => `videoIds=${name}`).join("&")}`)).json
      assert.deepStrictEqual(
        names.map((name) => named[name].length),
        [2, 2, 0]
      )
      assert.strictEqual((yield* asked("")).status, 400)
      assert.strictEqual((yield* asked("?videoIds=x")).status, 400)
      assert.strictEqual((yield* asked(`?${ids}`, "anonymous")).status, 401)
    })
  )

  it.effect("stays without gaps when many change it at once, and ends at so many", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const video = yield* addVideo({ owner: "owner" })
      const { id } = yield* make({ displayName: "Busy" })
      const first = yield* Effect.forEach([0, 1, 2, 3], () => put(id, video.id))
      const path = `/video-playlists/${id}/videos`
      const statuses = yield* Effect.all(
        [
          ...Array.from({ length: 8 }, () => ask("owner", "POST", path, { videoId: video.id })),
          ...first.slice(0, 3).map((element) => ask("owner", "DELETE", `${path}/${element}`)),
          ...Array.from({ length: 4 }, () =>
            ask("owner", "POST", `${path}/reorder`, { startPosition: 1, insertAfterPosition: 1 })
          ),
          ask("owner", "DELETE", `${path}/${first[0]!}`)
        ].map(Effect.map(({ status }: { readonly status: number }) => status)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        statuses.filter((status) => status >= 400),
        [404]
      )
      assert.lengthOf(yield* order(id), 9)
      assert.strictEqual((yield* playlist(id)).videosLength, 9)
      yield* sql`
        insert into video_playlist_element (playlist_id, video_id, position)
        select ${id}::int, ${video.id}::int, n from generate_series(10, 5000) n`
      assert.strictEqual((yield* ask("owner", "POST", path, { videoId: video.id })).status, 400)
      assert.strictEqual((yield* playlist(id)).videosLength, 5000)
    })
  )
})
