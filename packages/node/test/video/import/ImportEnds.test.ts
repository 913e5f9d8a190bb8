import { assert, layer } from "@effect/vitest"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { importType } from "@kinora/storage/video/write/NewImport"
import { UploadChannels } from "@kinora/storage/video/upload/UploadChannels"
import { Effect, Fiber, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { ServerResponse } from "node:http"
import { ImportWorker } from "../../../src/video/import/ImportWorker.ts"
import { VideoImports } from "../../../src/video/import/VideoImports.ts"
import { ask, collaborate, type Member } from "../../people/channel/Crew.ts"
import { begin, channelId, importNode, lyingAbout, see, site, until, workOff } from "./ImportNode.ts"

/** Begins to send a film, and never ends. */
const endless = (response: ServerResponse) => {
  response.writeHead(200, { "content-type": "video/mp4", "content-length": 10_000_000 }).flushHeaders()
  response.write(Buffer.alloc(100_000))
}

const userId = Effect.fnUntraced(function* (name: string) {
  const sql = yield* SqlClient
  return (yield* sql<{ id: number }>`select id from app_user where username = ${name}`)[0]!.id
})

/** Asks for an import, waits until its bytes come, does something, and waits until nothing of it is left. */
const whileRunning = Effect.fnUntraced(function* <E, R>(
  who: Member,
  channel: number,
  act: Effect.Effect<unknown, E, R>
) {
  const sql = yield* SqlClient
  const host = yield* site((_, response) => endless(response))
  const { json, status, text } = yield* begin({ targetUrl: host.url("/film.mp4"), channelId: channel }, who)
  assert.strictEqual(status, 200, text)
  const { videoId } = yield* see(json.id)
  const running = yield* Effect.forkChild((yield* ImportWorker).run)
  yield* until(Effect.sync(() => host.connections().open > 0))
  yield* until(Effect.map(lyingAbout, (files) => files.length > 0))
  yield* act
  yield* until(Effect.sync(() => host.connections().open === 0))
  yield* until(Effect.map(lyingAbout, (files) => files.length === 0))
  yield* Fiber.interrupt(running)
  const open = yield* sql`
    select 1 from job where type = ${importType} and (payload ->> 'importId')::int = ${json.id}
      and state not in ('completed', 'failed', 'cancelled')`
  assert.lengthOf(open, 0)
  assert.lengthOf(yield* sql`select 1 from video_source where video_id = ${videoId}`, 0)
  const kept = yield* sql`
    select 1 from object_removal where bucket = 'original_video_files' and not_before > now() + interval '1 minute'`
  assert.lengthOf(kept, 0)
  return { importId: json.id as number, videoId, uuid: json.video.uuid as string }
})

const videoState = Effect.fnUntraced(function* (videoId: number | null) {
  const sql = yield* SqlClient
  return (yield* sql<{ state: number }>`select state::integer as state from video where id = ${videoId}`)[0]?.state
})

layer(importNode(), { excludeTestServices: true, timeout: 90_000 })("what an import stands on ends", (it) => {
  it.effect("with its channel: nothing is left of it", () =>
    Effect.gen(function* () {
      const made = yield* ask("owner", "POST", "/video-channels", { name: "doomed", displayName: "Doomed" })
      const { importId, videoId } = yield* whileRunning(
        "owner",
        made.json.videoChannel.id,
        Effect.map(ask("owner", "DELETE", "/video-channels/doomed"), ({ status }) => assert.strictEqual(status, 204))
      )
      assert.isUndefined(yield* videoState(videoId))
      assert.deepInclude(yield* see(importId), { state: 5, videoId: null })
    })
  )

  it.effect("with the collaborator who asked for it: the video of the channel waits no longer", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const channel = yield* channelId("owner_channel")
      // One that waits, too.
      const waiting = yield* begin({ targetUrl: "https://127.0.0.1:9/never.mp4" }, "helper")
      yield* sql`update job set run_at = now() + interval '1 hour' where type = ${importType}`
      const { videoId } = yield* whileRunning(
        "helper",
        channel,
        Effect.flatMap(userId("helper"), (id) =>
          Effect.map(ask("administrator", "DELETE", `/users/${id}`), ({ status }) => assert.strictEqual(status, 204))
        )
      )
      assert.strictEqual(yield* videoState(videoId), 12)
      const other = yield* ask("owner", "GET", `/videos/${waiting.json.video.uuid}`)
      assert.deepInclude(other.json.state, { id: 12 })
      const left =
        yield* sql`select 1 from job where type = ${importType} and state in ('waiting', 'delayed', 'active')`
      assert.lengthOf(left, 0)
    })
  )

  it.effect("with the work of a collaborator on the channel, unless somebody else takes it over", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* collaborate("owner_channel", "stranger")
      const { json } = yield* begin({ targetUrl: "https://127.0.0.1:9/left.mp4" }, "stranger")
      yield* sql`
        delete from video_channel_collaborator k using account a, app_user u
        where a.id = k.account_id and u.id = a.user_id and u.username = 'stranger'`
      const ended = yield* workOff(json.id)
      assert.deepInclude(ended, { state: 3, videoState: 12 })
      assert.match(ended.error ?? "", /no longer/)
      assert.strictEqual((yield* ask("stranger", "POST", `/videos/imports/${json.id}/retry`)).status, 403)
      assert.strictEqual((yield* ask("owner", "POST", `/videos/imports/${json.id}/retry`)).status, 204)
      assert.match((yield* workOff(json.id)).error ?? "", /cannot be reached/)
    })
  )

  it.effect("with a user who was blocked", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { json } = yield* begin(
        { targetUrl: "https://127.0.0.1:9/blocked.mp4", channelId: yield* channelId("stranger_channel") },
        "stranger"
      )
      yield* sql`update app_user set blocked = true where username = 'stranger'`
      assert.match((yield* workOff(json.id)).error ?? "", /blocked/)
    })
  )

  it.effect("with its user: nothing is left of it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { importId, videoId } = yield* whileRunning(
        "owner",
        yield* channelId("owner_channel"),
        Effect.flatMap(userId("owner"), (id) =>
          Effect.map(ask("administrator", "DELETE", `/users/${id}`), ({ status }) => assert.strictEqual(status, 204))
        )
      )
      assert.isUndefined(yield* videoState(videoId))
      assert.lengthOf(yield* sql`select 1 from video_import where id = ${importId}`, 0)
    })
  )
})

layer(importNode(), { excludeTestServices: true, timeout: 60_000 })("imports that wait", (it) => {
  it.effect("come in the order of who asks: people before the many of a synchronisation", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const board = yield* JobBoard
      const channel = Option.getOrThrow(yield* (yield* UploadChannels).find(yield* channelId("owner_channel")))
      const [owner] = yield* sql<{ userId: number; accountId: number }>`
        select u.id as "userId", a.id as "accountId" from app_user u join account a on a.user_id = u.id
        where u.username = 'owner'`
      const source = { _tag: "Url", url: "https://127.0.0.1:9/many.mp4" } as const
      const followed = yield* (yield* VideoImports).create({ ...owner!, channel, fields: {}, source, once: true })
      const asked = yield* begin({ targetUrl: "https://127.0.0.1:9/one.mp4" })
      const first = Option.getOrThrow(yield* board.claim([importType], "a", "1 minute"))
      assert.deepStrictEqual(first.payload, { importId: asked.json.id })
      // Two nodes over one database: each import is worked on by one of them.
      const next = Option.getOrThrow(yield* board.claim([importType], "b", "1 minute"))
      assert.deepStrictEqual(next.payload, { importId: followed.id })
      assert.isTrue(Option.isNone(yield* board.claim([importType], "a", "1 minute")))
    })
  )
})
