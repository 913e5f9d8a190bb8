import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { bearer, login, send } from "../../instance/about/Client.ts"
import { People, peopledNode } from "../list/People.ts"
import { addVideo, type TestVideo } from "../list/Videos.ts"

const file = ({ token }: TestVideo, query = "") => `/static/web-videos/private/${token}-720.mp4${query}`

const fileToken = Effect.fnUntraced(function* (video: TestVideo, init: RequestInit) {
  const answer = yield* send(`/api/v1/videos/${video.uuid}/token`, { method: "POST", ...init })
  assert.strictEqual(answer.status, 200, answer.text)
  return `?videoFileToken=${answer.json.files.token as string}`
})

const password = (value: string): RequestInit => ({ headers: { "x-peertube-video-password": value } })

const status = (path: string) => Effect.map(send(path), (answer) => answer.status)

/** At once, by the next request. */
const refused = (path: string) => Effect.map(status(path), (now) => assert.strictEqual(now, 403))

layer(peopledNode, { excludeTestServices: true })("A video file token ends with what it was given for", (it) => {
  it.effect("when its session ends", () =>
    Effect.gen(function* () {
      const video = yield* addVideo({ owner: "owner", privacy: 3 })
      const { access_token } = yield* login("owner", "password1")
      const token = yield* fileToken(video, bearer(access_token))
      const others = yield* fileToken(video, bearer((yield* People).owner))
      assert.strictEqual(yield* status(file(video, token)), 200)
      yield* send("/api/v1/users/revoke-token", { method: "POST", ...bearer(access_token) })
      assert.strictEqual(yield* status(file(video, token)), 403)
      assert.strictEqual(yield* status(file(video, others)), 200)
    })
  )

  it.effect("when the video is no longer for its user", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { other, owner } = yield* People
      const video = yield* addVideo({ owner: "owner", privacy: 4 })
      const theirs = yield* fileToken(video, bearer(other))
      const own = yield* fileToken(video, bearer(owner))
      assert.strictEqual(yield* status(file(video, theirs)), 200)
      yield* sql`update video set privacy = 3 where id = ${video.id}`
      yield* refused(file(video, theirs))
      assert.strictEqual(yield* status(file(video, own)), 200)
      yield* sql`insert into video_blacklist (video_id) values (${video.id})`
      yield* refused(file(video, theirs))
    })
  )

  it.effect("when a moderator loses the right, and when the user is blocked", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { administrator: root, moderator, other } = yield* People
      const users = yield* sql<{ id: number; name: string }>`select id, username::text as name from app_user`
      const change = Effect.fnUntraced(function* (name: string, path: string, method: string, body: object = {}) {
        const { id } = users.find((user) => user.name === name)!
        const answer = yield* send(`/api/v1/users/${id}${path}`, {
          method,
          headers: { ...bearer(root).headers, "content-type": "application/json" },
          body: JSON.stringify(body)
        })
        assert.strictEqual(answer.status, 204, answer.text)
      })
      const video = yield* addVideo({ owner: "owner", privacy: 3 })
      const theirs = yield* fileToken(video, bearer(moderator))
      assert.strictEqual(yield* status(file(video, theirs)), 200)
      yield* change("moderator", "", "PUT", { role: 2 })
      yield* refused(file(video, theirs))
      const internal = yield* addVideo({ owner: "owner", privacy: 4 })
      const token = yield* fileToken(internal, bearer(other))
      assert.strictEqual(yield* status(file(internal, token)), 200)
      yield* change("other", "/block", "POST")
      yield* refused(file(internal, token))
      yield* change("other", "/unblock", "POST")
    })
  )

  it.effect("when the password is changed, and not when another one is", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const video = yield* addVideo({ owner: "owner", privacy: 5, passwords: ["first", "second"] })
      const [first, second] = [yield* fileToken(video, password("first")), yield* fileToken(video, password("second"))]
      yield* sql`delete from video_password where video_id = ${video.id} and password = 'first'`
      assert.strictEqual(yield* status(file(video, first)), 403)
      assert.strictEqual(yield* status(file(video, second)), 200)
      yield* sql`update video set privacy = 3 where id = ${video.id}`
      yield* refused(file(video, second))
    })
  )

  it.effect("and one given while the video was for everybody opens nothing later", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const video = yield* addVideo({ owner: "owner", privacy: 3 })
      yield* sql`update video set privacy = 1 where id = ${video.id}`
      const token = yield* fileToken(video, {})
      yield* sql`update video set privacy = 3 where id = ${video.id}`
      assert.strictEqual(yield* status(file(video, token)), 403)
    })
  )
})
