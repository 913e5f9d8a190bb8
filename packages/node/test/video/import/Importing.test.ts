import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { readFileSync } from "node:fs"
import type { RequestListener, ServerResponse } from "node:http"
import { ImportWorker } from "../../../src/video/import/ImportWorker.ts"
import { ask } from "../../people/channel/Crew.ts"
import { plainClip } from "../upload/Clips.ts"
import { begin, importNode, lyingAbout, see, site, until, workOff } from "./ImportNode.ts"

const film = () => readFileSync(plainClip())

const sendFilm = (response: ServerResponse) =>
  response.writeHead(200, { "content-type": "video/mp4", "content-length": film().length }).end(film())

/** Sends the beginning of a film and no more. */
const sendSome = (response: ServerResponse) => {
  response.writeHead(200, { "content-type": "video/mp4", "content-length": film().length }).flushHeaders()
  response.write(film().subarray(0, film().length / 2))
}

const serving =
  (routes: Record<string, (response: ServerResponse) => unknown>): RequestListener =>
  (request, response) => {
    const route = routes[URL.parse(request.url ?? "", "http://a")?.pathname ?? ""]
    if (route === undefined) response.writeHead(404).end()
    else route(response)
  }

const asked = Effect.fnUntraced(function* (fields: Record<string, unknown>) {
  const { json, status, text } = yield* begin(fields)
  assert.strictEqual(status, 200, text)
  return json as { readonly id: number; readonly video: { readonly uuid: string } }
})

layer(importNode(), { excludeTestServices: true, timeout: 90_000 })("importing", (it) => {
  it.effect("fetches a file and hands it on to be published", () =>
    Effect.gen(function* () {
      const { url } = yield* site(serving({ "/film.mp4": sendFilm }))
      const { id, video } = yield* asked({ targetUrl: url("/film.mp4"), description: "Mine" })
      assert.deepStrictEqual(yield* workOff(id), {
        state: 2,
        error: null,
        attempts: 1,
        videoId: (yield* see(id)).videoId,
        videoState: 2
      })
      const sql = yield* SqlClient
      const [source] = yield* sql<{ filename: string; inputFilename: string; size: number; height: number }>`
        select filename, input_filename as "inputFilename", size, height from video_source
        where video_id = ${(yield* see(id)).videoId}`
      assert.deepInclude(source, { inputFilename: "film.mp4", size: film().length, height: 240 })
      const objects = yield* ObjectStore
      const stored = yield* objects.stat({ bucket: "original_video_files", name: source!.filename })
      assert.strictEqual(stored.size, film().length)
      assert.lengthOf(yield* sql`select 1 from object_removal where name = ${source!.filename}`, 0)
      const jobs = yield* sql<{ type: string; state: string }>`
        select type, state from job where video_id = ${(yield* see(id)).videoId} order by id`
      assert.deepStrictEqual(jobs, [
        { type: "video-import", state: "completed" },
        { type: "transcoding-job-builder", state: "waiting" }
      ])
      const { json } = yield* ask("owner", "GET", `/videos/${video.uuid}`)
      assert.deepInclude(json, { name: "film.mp4", description: "Mine", duration: 2 })
      assert.deepStrictEqual(yield* lyingAbout, [])
    })
  )

  it.effect("tells why a video could not be had, and tries again when asked to", () =>
    Effect.gen(function* () {
      let mended = false
      const { url } = yield* site(
        serving({
          "/film.mp4": (response) => (mended ? sendFilm(response) : response.writeHead(503).end()),
          "/text.mp4": (response) => response.writeHead(200, { "content-type": "video/mp4" }).end("no film at all"),
          "/page": (response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>Nothing here</p>"),
          "/inside": (response) => response.writeHead(302, { location: "https://10.0.0.1/film.mp4" }).end()
        })
      )
      const failing = Effect.fnUntraced(function* (targetUrl: string) {
        const { id } = yield* asked({ targetUrl })
        const { error, state, videoState } = yield* workOff(id)
        assert.deepStrictEqual({ state, videoState }, { state: 3, videoState: 12 })
        assert.notMatch(error ?? "", /10\.0\.0\.1|127\.0\.0\.1|\/tmp|kinora/i)
        return { id, error: error ?? "" }
      })
      assert.match((yield* failing(url("/gone.mp4"))).error, /status 404/)
      assert.match((yield* failing(url("/text.mp4"))).error, /cannot be read as video/)
      assert.match((yield* failing(url("/inside"))).error, /fetches nothing/)
      assert.match((yield* failing(url("/page"))).error, /no video|cannot be fetched/i)
      const { error, id } = yield* failing(url("/film.mp4"))
      assert.match(error, /status 503/)
      const listed = yield* ask("owner", "GET", "/users/me/videos/imports?count=1")
      assert.deepInclude(listed.json.data[0], { id, error, state: { id: 3, label: "Failed" } })
      assert.strictEqual(listed.json.data[0].video.state.id, 12)
      mended = true
      assert.strictEqual((yield* ask("owner", "POST", `/videos/imports/${id}/retry`)).status, 204)
      assert.deepInclude(yield* see(id), { state: 1, videoState: 3, error: null })
      assert.deepInclude(yield* workOff(id), { state: 2, videoState: 2, attempts: 2 })
      assert.deepStrictEqual(yield* lyingAbout, [])
    })
  )

  it.effect("stops at once when it is cancelled or its video deleted", () =>
    Effect.gen(function* () {
      const worker = yield* ImportWorker
      const host = yield* site(serving({ "/film.mp4": sendSome }))
      const { id } = yield* asked({ targetUrl: host.url("/film.mp4") })
      const running = yield* Effect.forkChild(worker.run)
      const arrived = until(Effect.sync(() => host.connections().open > 0))
      yield* arrived
      yield* until(Effect.map(see(id), ({ state }) => state === 6))
      const { json } = yield* ask("owner", "GET", "/users/me/videos/imports?count=1")
      assert.deepInclude(json.data[0], { id, state: { id: 6, label: "Processing" }, attempts: 1 })
      assert.strictEqual((yield* ask("owner", "POST", `/videos/imports/${id}/cancel`)).status, 204)
      yield* until(Effect.sync(() => host.connections().open === 0))
      yield* until(Effect.map(lyingAbout, (files) => files.length === 0))
      assert.deepInclude(yield* see(id), { state: 5, videoState: 12 })

      const second = yield* asked({ targetUrl: host.url("/film.mp4") })
      yield* arrived
      assert.strictEqual((yield* ask("owner", "DELETE", `/videos/${second.video.uuid}`)).status, 204)
      yield* until(Effect.sync(() => host.connections().open === 0))
      yield* until(Effect.map(lyingAbout, (files) => files.length === 0))
      assert.deepInclude(yield* see(second.id), { state: 5, videoId: null })
      yield* Fiber.interrupt(running)
    })
  )

  it.effect("hands an import back when the node stops, and begins it again", () =>
    Effect.gen(function* () {
      const worker = yield* ImportWorker
      let slow = true
      const host = yield* site(serving({ "/film.mp4": (response) => (slow ? sendSome(response) : sendFilm(response)) }))
      const { id } = yield* asked({ targetUrl: host.url("/film.mp4") })
      const running = yield* Effect.forkChild(worker.run)
      yield* until(Effect.sync(() => host.connections().open > 0))
      yield* Fiber.interrupt(running)
      assert.deepInclude(yield* see(id), { state: 1, videoState: 3, attempts: 0 })
      assert.deepStrictEqual(yield* lyingAbout, [])
      slow = false
      assert.deepInclude(yield* workOff(id), { state: 2, attempts: 1 })
    })
  )

  it.effect("takes back what a killed node held, and gives up what kills it each time", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const worker = yield* ImportWorker
      const host = yield* site(serving({ "/film.mp4": sendFilm }))
      const { id } = yield* asked({ targetUrl: host.url("/film.mp4") })
      const kill = sql`
        update job set state = 'active', attempts = attempts + 1, lease_token = gen_random_uuid(),
          lease_owner = (select 'x'), lease_until = now() - interval '1 second'
        where (payload ->> 'importId')::int = ${id} and type = 'video-import'`
      yield* kill
      yield* sql`update video_import set state = 6 where id = ${id}`
      assert.strictEqual(yield* worker.settleAbandoned, 0)
      const owner = yield* sql<{ owner: string }>`select lease_owner as owner from job where lease_owner is not null`
      assert.deepStrictEqual(owner, [{ owner: "x" }])
      yield* sql`update job set state = 'failed', lease_owner = null, lease_token = null, lease_until = null,
        finished_at = now() where (payload ->> 'importId')::int = ${id} and type = 'video-import'`
      assert.strictEqual(yield* worker.settleAbandoned, 1)
      assert.deepInclude(yield* see(id), { state: 3, videoState: 12 })
      assert.strictEqual((yield* ask("owner", "POST", `/videos/imports/${id}/retry`)).status, 204)
      assert.deepInclude(yield* workOff(id), { state: 2, videoState: 2 })
    })
  )

  it.effect(
    "takes the video of a page, with what the page says, unless it was said here",
    () =>
      Effect.gen(function* () {
        const head = `<title>A page&#7; of a film</title><meta property="og:description" content="Theirs">`
        const host = yield* site(
          serving({
            "/page": (response) =>
              response
                .writeHead(200, { "content-type": "text/html" })
                .end(`<!doctype html>${head}<video src="/film.mp4"></video>`),
            "/film.mp4": sendFilm
          })
        )
        const { id, video } = yield* asked({ targetUrl: host.url("/page"), description: "Mine", tags: ["ours"] })
        const { error, state } = yield* workOff(id)
        assert.deepStrictEqual({ error, state }, { error: null, state: 2 })
        const { json } = yield* ask("owner", "GET", `/videos/${video.uuid}`)
        assert.match(json.name, /^A page of a film/)
        assert.deepInclude(json, { description: "Mine", tags: ["ours"], duration: 2 })
        assert.deepStrictEqual(yield* lyingAbout, [])
      }),
    120_000
  )
})

layer(importNode({ uploads: { max_file_size: 300_000 } }), { excludeTestServices: true, timeout: 90_000 })(
  "limits of imports",
  (it) => {
    it.effect("stops when the file is larger than the instance takes, told or not", () =>
      Effect.gen(function* () {
        let sent = 0
        const host = yield* site(
          serving({
            "/told.mp4": (response) =>
              response.writeHead(200, { "content-type": "video/mp4", "content-length": 10 ** 9 }).flushHeaders(),
            "/endless.mp4": (response) => {
              response.writeHead(200, { "content-type": "video/mp4" })
              const more = () => {
                while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536
              }
              response.on("drain", more)
              more()
            }
          })
        )
        for (const path of ["/told.mp4", "/endless.mp4"]) {
          const { id } = yield* asked({ targetUrl: host.url(path) })
          const { error, state } = yield* workOff(id)
          assert.strictEqual(state, 3)
          assert.match(error ?? "", /larger than this instance takes \(300000 bytes\)/)
        }
        yield* until(Effect.sync(() => host.connections().open === 0))
        assert.isBelow(sent, 30_000_000)
        assert.deepStrictEqual(yield* lyingAbout, [])
      })
    )

    it.effect("stops at the quota of the owner, and looks again when the file is there", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const quota = (bytes: number) => sql`update app_user set video_quota = ${bytes} where username = 'owner'`
        let before = (): void => {}
        const host = yield* site(
          serving({
            "/film.mp4": (response) => {
              before()
              sendFilm(response)
            }
          })
        )
        yield* quota(film().length - 1)
        const first = yield* asked({ targetUrl: host.url("/film.mp4") })
        assert.match((yield* workOff(first.id)).error ?? "", /does not fit into the quota/)
        yield* quota(film().length)
        const second = yield* asked({ targetUrl: host.url("/film.mp4") })
        const { videoId } = yield* see(second.id)
        // Something else takes the room while the file is on its way.
        const context = yield* Effect.context<SqlClient>()
        let taken: Promise<unknown> | undefined
        before = () => {
          taken = Effect.runPromiseWith(context)(quota(1))
        }
        const ended = yield* workOff(second.id)
        yield* Effect.promise(async () => void (await taken))
        assert.match(ended.error ?? "", /does not fit into the quota/)
        assert.lengthOf(yield* sql`select 1 from video_source where video_id = ${videoId}`, 0)
        const left = yield* sql`
          select 1 from object_removal where bucket = 'original_video_files' and not_before <= now()`
        assert.isAbove(left.length, 0)
        yield* quota(-1)
        assert.strictEqual((yield* ask("owner", "POST", `/videos/imports/${second.id}/retry`)).status, 204)
        before = () => {}
        assert.deepInclude(yield* workOff(second.id), { state: 2 })
      })
    )
  }
)
