import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { toShortUuid } from "@kinora/domain/ids/ShortUuid"
import { parseVideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import { PageVideos } from "../../../src/web-pages/PageVideos.ts"
import { showing } from "../../../src/web-pages/Visibility.ts"
import { PageVideosLayer } from "../../../src/web-pages/data/PageVideosLayer.ts"
import { bearer, send } from "../../instance/about/Client.ts"
import { People, peopledNode, type Person } from "./People.ts"
import { addVideo, type VideoOptions } from "./Videos.ts"

const everybody: ReadonlyArray<Person> = ["anonymous", "other", "owner", "moderator", "administrator"]

/** Statuses by row id and by UUID, for everybody in the order above. */
const matrix: ReadonlyArray<readonly [string, Partial<VideoOptions>, string, string]> = [
  ["public", {}, "200 200 200 200 200", "200 200 200 200 200"],
  ["unlisted", { privacy: 2 }, "404 404 200 200 200", "200 200 200 200 200"],
  ["private", { privacy: 3 }, "404 404 200 200 200", "401 403 200 200 200"],
  ["internal", { privacy: 4 }, "404 200 200 200 200", "401 200 200 200 200"],
  ["password", { privacy: 5, passwords: ["secret"] }, "401 401 200 200 200", "401 401 200 200 200"],
  ["blocked", { blacklisted: true }, "404 404 200 200 200", "401 403 200 200 200"],
  ["unfinished", { state: 2 }, "404 404 200 200 200", "404 404 200 200 200"],
  ["waiting live", { state: 4 }, "200 200 200 200 200", "200 200 200 200 200"]
]

/** Operations that tell of one video: path after `/videos/{id}` and method. */
const operations: ReadonlyArray<readonly [string, string]> = [
  ["", "GET"],
  ["/description", "GET"],
  ["/storyboards", "GET"],
  ["/captions", "GET"],
  ["/token", "POST"],
  ["/metadata/FILE", "GET"]
]

/** What pages show of a video to everybody, by row id and by UUID, where the API refuses strangers all of it. */
const pages: Readonly<Record<string, readonly [string, string]>> = {
  password: ["locked", "locked"],
  unfinished: ["nothing", "pending"]
}

const node = PageVideosLayer.pipe(Layer.provideMerge(peopledNode))

layer(node, { excludeTestServices: true })("Who may see a video", (it) => {
  for (const [name, options, byId, byUuid] of matrix) {
    it.effect(`${name}: the same everywhere`, () =>
      Effect.gen(function* () {
        const tokens = yield* People
        const video = yield* addVideo({ owner: "owner", ...options })
        for (const [rest, method] of operations) {
          const path = rest.replace("FILE", String(video.fileId))
          for (const [key, expected] of [
            [String(video.id), byId],
            [video.uuid, byUuid],
            [toShortUuid(video.uuid), byUuid]
          ] as const) {
            const statuses: Array<number> = []
            for (const person of everybody) {
              const auth = person === "anonymous" ? {} : bearer(tokens[person])
              const answer = yield* send(`/api/v1/videos/${key}${path}`, { method, ...auth })
              statuses.push(answer.status)
              if (answer.status !== 200) assert.notInclude(answer.text, "About it")
            }
            assert.strictEqual(statuses.join(" "), expected, `${method} ${path} by ${key}`)
          }
        }
      })
    )
  }

  for (const [name, options, byId, byUuid] of matrix) {
    it.effect(`${name}: pages show what strangers may see (API-16)`, () =>
      Effect.gen(function* () {
        const videos = yield* PageVideos
        const { id, uuid } = yield* addVideo({ owner: "owner", ...options })
        const shown = Effect.fnUntraced(function* (text: string) {
          const named = parseVideoIdOrUuid(text)!
          const { facts } = yield* videos.byId(named)
          return yield* showing(facts, named).pipe(Effect.catchTag("VideoNotFound", () => Effect.succeed("nothing")))
        })
        const all = options.privacy === 2 ? "unlisted" : "public"
        const expected = [byId, byUuid].map(
          (statuses, i) => pages[name]?.[i] ?? (statuses.startsWith("200") ? all : "nothing")
        )
        assert.deepStrictEqual([yield* shown(String(id)), yield* shown(uuid)], expected)
      })
    )
  }

  it.effect("a password opens, a wrong one does not, and guessing ends", () =>
    Effect.gen(function* () {
      const video = yield* addVideo({ owner: "owner", privacy: 5, passwords: ["first", "second"] })
      const ask = (password: string, ip = "127.0.0.1") =>
        send(`/api/v1/videos/${video.uuid}`, {
          headers: { "x-peertube-video-password": password, "x-forwarded-for": ip }
        })
      assert.strictEqual((yield* send(`/api/v1/videos/${video.uuid}`)).json.code, "video_requires_password")
      for (const password of ["first", "second"]) assert.strictEqual((yield* ask(password)).status, 200)
      const wrong = yield* ask("third")
      assert.deepInclude(wrong.json, { status: 403, code: "incorrect_video_password" })
      const statuses = yield* Effect.forEach(Array.from({ length: 12 }), () => ask("guess"), { concurrency: 4 })
      assert.strictEqual(statuses.filter((answer) => answer.status === 403).length, 9)
      assert.strictEqual((yield* ask("first")).status, 429)
      // One subscriber has a whole network of addresses.
      const many = yield* Effect.forEach(Array.from({ length: 12 }), (_, n) => ask("guess", `2001:db8::${n + 1}`))
      assert.deepStrictEqual(
        many.slice(-2).map((answer) => answer.status),
        [429, 429]
      )
      assert.strictEqual((yield* ask("first", "2001:db8:0:1::1")).status, 200)
    })
  )

  it.effect("sources are for those who may change the video", () =>
    Effect.gen(function* () {
      const tokens = yield* People
      const video = yield* addVideo({ owner: "owner" })
      const path = `/api/v1/videos/${video.uuid}/source`
      assert.strictEqual((yield* send(path)).status, 401)
      assert.strictEqual((yield* send(path, bearer(tokens.other))).status, 403)
      const mine = yield* send(path, bearer(tokens.owner))
      assert.deepInclude(mine.json, { inputFilename: "holiday.mov", size: 100 })
    })
  )

  it.effect("deleting is for the owner and moderators, managing files for administrators", () =>
    Effect.gen(function* () {
      const tokens = yield* People
      const sql = yield* SqlClient
      const video = yield* addVideo({ owner: "owner" })
      const path = `/api/v1/videos/${video.uuid}`
      const remove = (rest: string, person: Person) =>
        send(path + rest, { method: "DELETE", ...(person === "anonymous" ? {} : bearer(tokens[person])) })
      for (const rest of ["/hls", `/hls/${video.hlsFileId}`, "/web-videos", `/web-videos/${video.fileId}`]) {
        assert.strictEqual((yield* remove(rest, "anonymous")).status, 401)
        for (const person of ["other", "owner", "moderator"] as const) {
          assert.strictEqual((yield* remove(rest, person)).status, 403, `${rest} ${person}`)
        }
      }
      assert.strictEqual((yield* remove("/hls/2147483647", "administrator")).status, 404)
      assert.strictEqual((yield* remove("/web-videos/2147483647", "administrator")).status, 404)
      assert.strictEqual((yield* remove(`/web-videos/${video.fileId}`, "administrator")).status, 204)
      // What is left is all there is of the video.
      assert.strictEqual((yield* remove(`/hls/${video.hlsFileId}`, "administrator")).status, 400)
      assert.strictEqual((yield* remove("/hls", "administrator")).status, 400)
      const other = yield* addVideo({ owner: "owner" })
      const ofOther = (rest: string) =>
        Effect.map(
          send(`/api/v1/videos/${other.uuid}${rest}`, { method: "DELETE", ...bearer(tokens.administrator) }),
          ({ status }) => status
        )
      assert.strictEqual(yield* ofOther(`/hls/${other.hlsFileId}`), 204)
      assert.strictEqual(yield* ofOther(`/web-videos/${other.fileId}`), 400)
      assert.strictEqual((yield* remove("", "anonymous")).status, 401)
      assert.strictEqual((yield* remove("", "other")).status, 403)
      assert.strictEqual((yield* sql`select 1 from video where id = ${video.id}`).length, 1)
      assert.strictEqual((yield* remove("", "owner")).status, 204)
      assert.strictEqual((yield* send(path)).status, 404)
      const hidden = yield* addVideo({ owner: "owner", privacy: 3 })
      const removeHidden = (token: string) =>
        send(`/api/v1/videos/${hidden.id}`, { method: "DELETE", ...bearer(token) })
      assert.strictEqual((yield* removeHidden(tokens.other)).status, 404)
      assert.strictEqual((yield* removeHidden(tokens.moderator)).status, 204)
    })
  )
})
