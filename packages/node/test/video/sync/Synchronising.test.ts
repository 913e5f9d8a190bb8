import { assert, layer } from "@effect/vitest"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { Clock, Effect, Fiber, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { ProcessingSettings } from "../../../src/video/process/ProcessingSettings.ts"
import { SyncWorker } from "../../../src/video/sync/SyncWorker.ts"
import { ask } from "../../people/channel/Crew.ts"
import { elsewhere, feed, type Item } from "../ytdlp/Elsewhere.ts"
import { anHourLater, channelId, eventually, imported, lookAround, syncNode } from "./SyncNode.ts"

const day = 86_400_000

/** A feed elsewhere whose items the test changes; `hold` keeps it from answering. */
const site = Effect.gen(function* () {
  const state = { items: [] as ReadonlyArray<Item>, hold: false, status: 200 }
  const host = yield* elsewhere((_, response) => {
    if (state.hold) return
    response.writeHead(state.status, { "content-type": "application/rss+xml" }).end(feed(host.url(""), state.items))
  })
  return { state, host, url: host.url("/feed"), at: (name: string) => host.url(`/${name}.mp4`) }
})

const follow = Effect.fnUntraced(function* (url: string, more: object = {}) {
  const videoChannelId = yield* channelId("owner_channel")
  const made = yield* ask("owner", "POST", "/video-channel-syncs", { externalChannelUrl: url, videoChannelId, ...more })
  assert.strictEqual(made.status, 200, made.text)
  return made.json.videoChannelSync.id as number
})

const seen = Effect.fnUntraced(function* (syncId: number) {
  const { json } = yield* ask("owner", "GET", "/accounts/owner/video-channel-syncs?count=100")
  return json.data.find((one: { id: number }) => one.id === syncId)
})

const of = (rows: Effect.Success<typeof imported>, syncId: number) =>
  rows.filter(({ sync }) => sync === syncId).map(({ url }) => url)

layer(syncNode(), { excludeTestServices: true, timeout: 60_000 })("synchronising", (it) => {
  it.effect(
    "imports what is published after it was set up, once, in the order of its publication",
    () =>
      Effect.gen(function* () {
        const { at, state, url } = yield* site
        const now = yield* Clock.currentTimeMillis
        state.items = [{ name: "old", at: now - 2 * day }]
        const id = yield* follow(url, { videoPrivacy: 3 })
        assert.deepInclude(yield* seen(id), { state: { id: 1, label: "Waiting first run" }, lastSyncAt: null })
        yield* lookAround
        assert.deepStrictEqual(of(yield* imported, id), [])
        assert.deepInclude((yield* seen(id)).state, { id: 3 })
        assert.isNotNull((yield* seen(id)).lastSyncAt)

        state.items = [{ name: "newer", at: now + 60_000 }, { name: "new", at: now + 30_000 }, ...state.items]
        yield* lookAround
        assert.deepStrictEqual(of(yield* imported, id), [], "not before an interval has passed")
        yield* anHourLater(id)
        yield* lookAround
        assert.deepStrictEqual(of(yield* imported, id), [at("new"), at("newer")])
        assert.deepStrictEqual([...new Set((yield* imported).map(({ privacy }) => privacy))], [3])
        yield* anHourLater(id)
        yield* lookAround
        assert.lengthOf(of(yield* imported, id), 2)
        const listed = yield* ask("owner", "GET", `/users/me/videos/imports?videoChannelSyncId=${id}`)
        assert.deepInclude(listed.json.data[0].videoChannelSync, { id, externalChannelUrl: url })

        // Everything, on demand: what came before is not fetched again.
        assert.strictEqual((yield* ask("owner", "POST", `/video-channel-syncs/${id}/sync`)).status, 204)
        yield* lookAround
        assert.deepStrictEqual(of(yield* imported, id), [at("new"), at("newer"), at("old")])

        const sql = yield* SqlClient
        const jobs = yield* sql<{ minutes: number }>`
          select extract(epoch from run_at - now())::float8 / 60 as minutes from job
          where dedupe_key = ${`video-channel-sync:${id}`} and state = 'delayed'`
        assert.lengthOf(jobs, 1)
        assert.isTrue(jobs[0]!.minutes > 50 && jobs[0]!.minutes <= 66, String(jobs[0]!.minutes))
      }),
    120_000
  )

  it.effect(
    "says that it failed, and tries again at the next look",
    () =>
      Effect.gen(function* () {
        const { at, state, url } = yield* site
        state.status = 404
        const id = yield* follow(url)
        yield* lookAround
        assert.deepInclude(yield* seen(id), { state: { id: 4, label: "Failed" }, lastSyncAt: null })
        state.status = 200
        state.items = [{ name: "late", at: yield* Clock.currentTimeMillis }]
        yield* anHourLater(id)
        yield* lookAround
        assert.deepInclude((yield* seen(id)).state, { id: 3 })
        assert.deepStrictEqual(of(yield* imported, id), [at("late")])
      }),
    120_000
  )

  it.effect(
    "hands a look back when the node stops, and takes it up again",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const worker = yield* SyncWorker
        const { at, host, state, url } = yield* site
        state.hold = true
        state.items = [{ name: "after", at: (yield* Clock.currentTimeMillis) + day }]
        const id = yield* follow(url)
        const running = yield* Effect.forkChild(worker.run)
        yield* eventually(Effect.sync(() => (host.seen.length > 0 ? true : undefined)))
        assert.deepInclude((yield* seen(id)).state, { id: 2 })
        yield* Fiber.interrupt(running)
        const [job] = yield* sql<{ state: string; attempts: number }>`
          select state, attempts from job where dedupe_key = ${`video-channel-sync:${id}`} order by id desc limit 1`
        assert.deepStrictEqual(job, { state: "waiting", attempts: 0 })
        // One that died with its node had no time for that: the next life takes it back.
        const { owner } = yield* ProcessingSettings
        const held = yield* (yield* JobBoard).claim(["video-channel-import"], `${owner} syncs`, "1 hour")
        assert.deepStrictEqual(Option.getOrThrow(held).payload, { syncId: id })
        assert.strictEqual(yield* worker.takeBack, 1)
        // And one whose job was given up gets another.
        yield* sql`delete from job where dedupe_key = ${`video-channel-sync:${id}`}`
        assert.isAbove(yield* worker.ensureJobs, 0)
        yield* anHourLater(id)
        state.hold = false
        yield* lookAround
        assert.deepStrictEqual(of(yield* imported, id), [at("after")])
      }),
    120_000
  )

  it.effect(
    "fetches a channel as a whole, up to what the operator allows, and skips what came before",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { at, state, url } = yield* site
        const now = yield* Clock.currentTimeMillis
        state.items = "abcdefg".split("").map((name, i) => ({ name, at: now - i * day }))
        const path = "/video-channels/stranger_channel/import-videos"
        for (let n = 0; n < 2; n++) {
          assert.strictEqual((yield* ask("stranger", "POST", path, { externalChannelUrl: url })).status, 204)
        }
        const waiting = yield* sql`select 1 from job where type = 'video-channel-import' and state = 'waiting'`
        assert.lengthOf(waiting, 1)
        yield* lookAround
        assert.strictEqual((yield* ask("stranger", "POST", path, { externalChannelUrl: url })).status, 204)
        yield* lookAround
        const mine = (yield* imported).filter((one) => one.url.startsWith(at("").slice(0, -4)))
        assert.deepStrictEqual(
          mine.map((one) => [one.url, one.sync]),
          ["e", "d", "c", "b", "a"].map((name) => [at(name), null])
        )
        // Nothing is fetched for somebody who was blocked meanwhile.
        state.items = [{ name: "z", at: now }]
        yield* ask("stranger", "POST", path, { externalChannelUrl: `${url}?again` })
        yield* sql`update app_user set blocked = true where username = 'stranger'`
        yield* lookAround
        assert.isFalse((yield* imported).some((one) => one.url === at("z")))
        const [job] = yield* sql<{ error: string }>`
          select error from job where type = 'video-channel-import' and error is not null order by id desc limit 1`
        assert.include(job?.error, "is blocked")
      }),
    120_000
  )

  it.effect(
    "ends with its channel, and takes the imports that wait with it when it is removed",
    () =>
      Effect.gen(function* () {
        const { state, url } = yield* site
        state.items = [{ name: "x", at: (yield* Clock.currentTimeMillis) + day }]
        const id = yield* follow(url)
        yield* lookAround
        const [waiting] = (yield* imported).filter(({ sync }) => sync === id)
        assert.strictEqual(waiting?.state, 1)
        assert.strictEqual((yield* ask("owner", "DELETE", `/video-channel-syncs/${id}`)).status, 204)
        assert.isUndefined(yield* seen(id))
        const after = (yield* imported).find((one) => one.id === waiting?.id)
        assert.deepInclude(after, { state: 5, sync: null })
        const sql = yield* SqlClient
        const left = yield* sql`
          select 1 from job where dedupe_key in (${`video-channel-sync:${id}`}, ${`video-import:${waiting!.id}`})
            and state not in ('completed', 'cancelled', 'failed')`
        assert.lengthOf(left, 0)

        const made = yield* ask("owner", "POST", "/video-channels", { name: "second", displayName: "Second" })
        const own = yield* ask("owner", "POST", "/video-channel-syncs", {
          externalChannelUrl: url,
          videoChannelId: made.json.videoChannel.id
        })
        assert.strictEqual((yield* ask("owner", "DELETE", "/video-channels/second")).status, 204)
        assert.isUndefined(yield* seen(own.json.videoChannelSync.id))
        yield* lookAround
      }),
    120_000
  )
})
