import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { readFileSync } from "node:fs"
import { connect } from "node:net"
import { ask, portOf } from "../../platform/http/TestServer.ts"
import { clip, plainClip } from "./Clips.ts"
import { boundary, fieldParts, formBody, formType, type Part } from "./Form.ts"
import { filesLeft, newUser, type TestUser, uploadServer } from "./UploadNode.ts"

const bytes = readFileSync(plainClip())
const total = bytes.length
const half = Math.floor(total / 2)
const path = "/api/v1/videos/upload-resumable?uploadType=resumable"

const bearer = (owner: TestUser) => ({ authorization: `Bearer ${owner.token}` })

const create = (owner: TestUser, fields: Record<string, unknown>, headers: Record<string, string> = {}) =>
  ask(path, {
    method: "POST",
    headers: {
      ...bearer(owner),
      "content-type": "application/json",
      "x-upload-content-length": String(total),
      "x-upload-content-type": "video/mp4",
      ...headers
    },
    body: JSON.stringify({ name: "By HTTP", channelId: owner.channelId, filename: "small.mp4", ...fields })
  })

const put = (owner: TestUser, target: string, range: string, body: Buffer) =>
  ask(target, {
    method: "PUT",
    headers: {
      ...bearer(owner),
      "content-type": "application/octet-stream",
      "content-range": range,
      "content-length": String(body.length)
    },
    body
  })

const targetOf = (location: string | undefined): string => {
  assert.match(
    location ?? "",
    /^\/\/localhost:9000\/api\/v1\/videos\/upload-resumable\?uploadType=resumable&upload_id=[0-9a-f]{48}$/
  )
  return location!.slice("//localhost:9000".length)
}

const sendForm = (owner: TestUser, parts: ReadonlyArray<Part>, headers: Record<string, string> = {}) => {
  const body = formBody(parts)
  return ask("/api/v1/videos/upload", {
    method: "POST",
    headers: { ...bearer(owner), "content-type": formType, "content-length": String(body.length), ...headers },
    body
  })
}

const video: Part = { name: "videofile", filename: "-i small.mp4", type: "video/mp4", content: bytes }

const traces = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* sql<{ videos: number; uploads: number }>`
    select (select count(*) from video) as videos, (select count(*) from upload_session) as uploads`
  return { ...row!, files: (yield* filesLeft).length }
})

const picture = () =>
  readFileSync(clip("picture.png", ["-f", "lavfi", "-i", "testsrc2=size=640x360", "-frames:v", "1"]))

layer(uploadServer({ uploads: { maxFileSize: 50_000_000 } }), { excludeTestServices: true })(
  "uploads over HTTP",
  (it) => {
    it.effect("goes the way of the recorded session", () =>
      Effect.gen(function* () {
        const owner = yield* newUser("recorded")
        const first = yield* create(owner, {})
        assert.strictEqual(first.status, 201)
        assert.strictEqual(first.headers["cache-control"], "no-store")
        assert.strictEqual(first.headers["content-length"], "0")
        const again = yield* create(owner, { name: "Another" })
        assert.strictEqual(again.status, 201)
        const target = targetOf(first.headers.location)
        const chunk = yield* put(owner, target, `bytes 0-${half - 1}/${total}`, bytes.subarray(0, half))
        assert.strictEqual(chunk.status, 308)
        assert.strictEqual(chunk.headers.range, `bytes=0-${half - 1}`)
        const where = yield* put(owner, target, `bytes */${total}`, Buffer.alloc(0))
        assert.deepStrictEqual([where.status, where.headers.range], [308, `bytes=0-${half - 1}`])
        const wrong = yield* put(owner, target, `bytes ${half + 7}-${total - 1}/${total}`, bytes.subarray(half + 7))
        assert.deepStrictEqual([wrong.status, wrong.headers.range], [409, `bytes=0-${half - 1}`])
        const otherTotal = yield* put(owner, target, `bytes ${half}-${total - 1}/${total + 9}`, bytes.subarray(half))
        assert.strictEqual(otherTotal.status, 409)
        const malformed = yield* put(owner, target, "bytes 9-3/oops", Buffer.alloc(3))
        assert.strictEqual(malformed.status, 409)
        // Begun again while it is open, it goes on where it was.
        const resumed = yield* create(owner, {})
        assert.deepStrictEqual([resumed.status, targetOf(resumed.headers.location)], [201, target])
        const last = yield* put(owner, target, `bytes ${half}-${total - 1}/${total}`, bytes.subarray(half))
        assert.strictEqual(last.status, 200)
        assert.match(last.json.video.uuid, /^[0-9a-f-]{36}$/)
        assert.lengthOf(last.json.video.shortUUID, 22)
        const replayed = yield* put(owner, target, `bytes ${half}-${total - 1}/${total}`, bytes.subarray(half))
        assert.deepStrictEqual(replayed.json, last.json)
        const unknown = yield* put(
          owner,
          "/api/v1/videos/upload-resumable?upload_id=nothing",
          "bytes 0-9/10",
          Buffer.alloc(10)
        )
        assert.strictEqual(unknown.status, 403)
        const spare = targetOf(again.headers.location)
        const cancelled = yield* ask(spare, { method: "DELETE", headers: bearer(owner) })
        assert.strictEqual(cancelled.status, 204)
        assert.strictEqual((yield* ask(spare, { method: "DELETE", headers: bearer(owner) })).status, 403)
        // Clients clean up after themselves: the video stays.
        assert.strictEqual((yield* ask(target, { method: "DELETE", headers: bearer(owner) })).status, 204)
        assert.deepStrictEqual((yield* put(owner, target, `bytes */${total}`, Buffer.alloc(0))).json, last.json)
      })
    )

    it.effect("judges the token first, then all fields at once, then type and size", () =>
      Effect.gen(function* () {
        const owner = yield* newUser("judged")
        const other = yield* newUser("judge")
        const before = yield* traces
        const anonymous = yield* ask(path, { method: "POST", body: "{}" })
        assert.strictEqual(anonymous.status, 401)
        const fields = yield* create(
          owner,
          { name: "x", privacy: 77, tags: ["a"] },
          { "x-upload-content-length": "none" }
        )
        assert.strictEqual(fields.status, 400)
        assert.sameMembers(Object.keys(fields.json["invalid-params"]), [
          "name",
          "privacy",
          "tags",
          "x-upload-content-length"
        ])
        const foreign = yield* create(owner, { channelId: other.channelId })
        assert.deepStrictEqual([foreign.status, Object.keys(foreign.json["invalid-params"])], [400, ["channelId"]])
        const type = yield* create(owner, { filename: "a.txt" }, { "x-upload-content-type": "text/plain" })
        assert.strictEqual(type.status, 415)
        assert.include(type.json.detail, ".webm, .ogv, .ogg, .mp4, .mkv, .mov")
        const size = yield* create(owner, {}, { "x-upload-content-length": "60000000" })
        assert.deepStrictEqual([size.status, size.json.code], [413, "max_file_size_reached"])
        assert.strictEqual(size.headers["x-file-maximum-size"], "50000000")
        const passwords = yield* create(owner, { privacy: 5 })
        assert.deepStrictEqual(Object.keys(passwords.json["invalid-params"]), ["videoPasswords"])
        const svg = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>")
        const form = formBody([
          ...fieldParts({ name: "Bad picture", channelId: String(owner.channelId), filename: "a.mp4" }),
          { name: "thumbnailfile", filename: "a.jpg", type: "image/jpeg", content: svg }
        ])
        const badPicture = yield* ask(path, {
          method: "POST",
          headers: {
            ...bearer(owner),
            "content-type": formType,
            "x-upload-content-length": String(total),
            "x-upload-content-type": "video/mp4"
          },
          body: form
        })
        assert.deepStrictEqual(
          [badPicture.status, Object.keys(badPicture.json["invalid-params"])],
          [400, ["thumbnailfile"]]
        )
        assert.deepStrictEqual(yield* traces, before)
      })
    )

    it.effect("counts what other open uploads still need against the quotas", () =>
      Effect.gen(function* () {
        const owner = yield* newUser("quota", total * 2 + 10)
        const daily = yield* newUser("daily", -1, total + 10)
        const all = yield* Effect.all(
          Array.from({ length: 6 }, (_, n) => create(owner, { name: `Upload ${n}` })),
          { concurrency: 6 }
        )
        assert.deepStrictEqual(all.map(({ status }) => status).toSorted(), [201, 201, 413, 413, 413, 413])
        assert.strictEqual(all.find(({ status }) => status === 413)!.json.code, "quota_reached")
        const made = all.find(({ status }) => status === 201)!
        assert.strictEqual(
          (yield* ask(targetOf(made.headers.location), { method: "DELETE", headers: bearer(owner) })).status,
          204
        )
        assert.strictEqual((yield* create(owner, {})).status, 201)
        const target = targetOf((yield* create(daily, {})).headers.location)
        assert.strictEqual((yield* put(daily, target, `bytes 0-${total - 1}/${total}`, bytes)).status, 200)
        assert.strictEqual((yield* create(daily, {})).json.code, "quota_reached")
      })
    )

    it.effect("takes a form with its fields before or after the file, and its picture", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const owner = yield* newUser("former")
        const fields = fieldParts({
          name: "By form",
          channelId: String(owner.channelId),
          privacy: "2",
          "tags[]": "ocean",
          "tags[1]": "Sea",
          "scheduleUpdate[updateAt]": "2030-01-01T00:00:00Z",
          category: "null",
          nsfw: "true"
        })
        const thumbnail: Part = { name: "thumbnailfile", filename: "x.exe", type: "image/png", content: picture() }
        for (const parts of [
          [...fields, video, thumbnail],
          [thumbnail, video, ...fields]
        ]) {
          const answer = yield* sendForm(owner, parts)
          assert.strictEqual(answer.status, 200, answer.text)
          const rows = yield* sql`
          select v.name, v.privacy, v.nsfw, v.category, v.state, s.input_filename,
            (select count(*) from thumbnail t where t.video_id = v.id and not t.automatically_generated) as pictures,
            array(select t.name::text from video_tag x join tag t on t.id = x.tag_id where x.video_id = v.id order by 1) as tags,
            (select privacy from video_schedule_update u where u.video_id = v.id) as scheduled
          from video v join video_source s on s.video_id = v.id where v.id = ${answer.json.video.id}`
          assert.deepStrictEqual(rows[0], {
            name: "By form",
            privacy: 2,
            nsfw: true,
            category: null,
            state: 2,
            input_filename: "-i small.mp4",
            pictures: 2,
            tags: ["Sea", "ocean"],
            scheduled: 1
          })
        }
        assert.deepStrictEqual(
          (yield* filesLeft).filter((name) => name.startsWith("incoming/")),
          []
        )
      })
    )

    it.effect("takes a form that just fits, whether or not it says its length, and none that does not", () =>
      Effect.gen(function* () {
        const chunked = { "transfer-encoding": "chunked" }
        for (const [name, quota, headers, status] of [
          ["fits", total, {}, 200],
          ["fitschunked", total, chunked, 200],
          ["over", total - 1, {}, 413],
          ["overchunked", total - 1, chunked, 413]
        ] as const) {
          const owner = yield* newUser(name, quota)
          const body = formBody([...fieldParts({ name, channelId: String(owner.channelId) }), video])
          const answer = yield* ask("/api/v1/videos/upload", {
            method: "POST",
            headers: { ...bearer(owner), "content-type": formType, ...headers },
            body
          })
          assert.strictEqual(answer.status, status, `${name}: ${answer.text}`)
        }
      })
    )

    it.effect("holds the room of a form for minutes, unless its request goes on: its node may die", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const owner = yield* newUser("lease", total)
        const port = yield* portOf
        const socket = connect(port, "127.0.0.1")
        socket.write(
          `POST /api/v1/videos/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${owner.token}\r\n` +
            `Content-Type: ${formType}\r\nContent-Length: ${total}\r\n\r\n`
        )
        const rows = sql<{ size: number; seconds: number }>`
          select size, extract(epoch from expires_at - now())::float8 as seconds
          from upload_session where user_id = ${owner.user.id}`
        const [held] = yield* Effect.repeat(rows, { until: (found) => found.length === 1 })
        assert.isAtMost(held!.size, total)
        assert.isAtMost(held!.seconds, 180)
        socket.destroy()
        yield* Effect.repeat(rows, { until: (found) => found.length === 0 })
      })
    )

    it.effect("refuses a form for every reason there is, and keeps nothing of it", () =>
      Effect.gen(function* () {
        const owner = yield* newUser("refused")
        const poor = yield* newUser("poor", 1000)
        const named = (user: TestUser) => fieldParts({ name: "Refused", channelId: String(user.channelId) })
        const before = yield* traces
        const cases: ReadonlyArray<readonly [string, number, ReturnType<typeof ask>]> = [
          ["no name", 400, sendForm(owner, [video])],
          ["no file", 400, sendForm(owner, named(owner))],
          ["an empty file", 400, sendForm(owner, [...named(owner), { ...video, content: "" }])],
          ["another's channel", 400, sendForm(owner, [...named(poor), video])],
          [
            "a name nobody takes",
            415,
            sendForm(owner, [...named(owner), { ...video, filename: "a.txt", type: "text/plain" }])
          ],
          ["no video", 422, sendForm(owner, [...named(owner), { ...video, content: "#EXTM3U\nfile:///etc/passwd\n" }])],
          ["half a video", 422, sendForm(owner, [...named(owner), { ...video, content: bytes.subarray(0, half) }])],
          ["a full quota", 413, sendForm(poor, [...named(poor), video])],
          ["a huge length", 413, sendForm(owner, [video], { "content-length": "90000000", expect: "100-continue" })],
          [
            "a form that ends early",
            400,
            ask("/api/v1/videos/upload", {
              method: "POST",
              headers: { ...bearer(owner), "content-type": formType },
              body: formBody([...named(owner), video]).subarray(0, -boundary.length)
            })
          ],
          ["no form", 415, sendForm(owner, [video], { "content-type": "application/json" })]
        ]
        for (const [why, status, request] of cases) {
          const answer = yield* request
          assert.strictEqual(answer.status, status, `${why}: ${answer.text}`)
          assert.deepStrictEqual(yield* traces, before, why)
        }
      })
    )

    it.effect(
      "removes what a client left behind that hung up",
      () =>
        Effect.gen(function* () {
          const owner = yield* newUser("hungup")
          const before = yield* traces
          const port = yield* portOf
          const body = formBody([...fieldParts({ name: "Hung up", channelId: String(owner.channelId) }), video])
          const head =
            `POST /api/v1/videos/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${owner.token}\r\n` +
            `Content-Type: ${formType}\r\nContent-Length: ${body.length}\r\n\r\n`
          const socket = yield* Effect.callback<ReturnType<typeof connect>>((resume) => {
            const made = connect(port, "127.0.0.1", () => {
              made.write(head)
              made.write(body.subarray(0, body.length - 2000), () => resume(Effect.succeed(made)))
            })
          })
          while ((yield* traces).uploads === before.uploads || (yield* traces).files === before.files)
            yield* Effect.sleep("10 millis")
          socket.destroy()
          while ((yield* traces).uploads !== before.uploads || (yield* traces).files !== before.files)
            yield* Effect.sleep("10 millis")
          assert.deepStrictEqual(yield* traces, before)
        }),
      20_000
    )
  }
)
