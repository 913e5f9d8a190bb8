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

/** What decides about a file is remembered for less than a second. */
const refused = (path: string) => Effect.repeat(status(path), { until: (now) => now === 403 })

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
      const { moderator, other } = yield* People
      const video = yield* addVideo({ owner: "owner", privacy: 3 })
      const theirs = yield* fileToken(video, bearer(moderator))
      assert.strictEqual(yield* status(file(video, theirs)), 200)
      yield* sql`update app_user set role = 2 where username = 'moderator'`
      yield* refused(file(video, theirs))
      const internal = yield* addVideo({ owner: "owner", privacy: 4 })
      const token = yield* fileToken(internal, bearer(other))
      assert.strictEqual(yield* status(file(internal, token)), 200)
      yield* sql`update app_user set blocked = true where username = 'other'`
      yield* refused(file(internal, token))
      yield* sql`update app_user set blocked = false where username = 'other'`
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
