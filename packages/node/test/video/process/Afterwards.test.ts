import { assert, layer } from "@effect/vitest"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { HlsFileDeletion } from "@kinora/storage/video/write/HlsFileDeletion"
import { VideoDeletion } from "@kinora/storage/video/write/VideoDeletion"
import { VideoPublication } from "@kinora/storage/video/write/VideoPublication"
import { Effect, Exit, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Housekeeping } from "../../../src/video/process/Housekeeping.ts"
import { publishType } from "../../../src/video/process/ProcessingJobs.ts"
import { oddClip, plainClip } from "../upload/Clips.ts"
import { filesLeft, newUser, uploadNode } from "../upload/UploadNode.ts"
import { dyingStore, filesAfterRemovals, outcome, runDoomed, upload, workOff } from "./Pipeline.ts"

const node = HlsFileDeletion.layer.pipe(Layer.provideMerge(uploadNode({ processing: { resolutions: [144, 240] } })))

layer(node, { excludeTestServices: true, timeout: 60_000 })("a processed video", (it) => {
  it.effect("loses single renditions, but never the last", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const hlsFiles = yield* HlsFileDeletion
      const deletion = yield* VideoDeletion
      const objects = yield* ObjectStore
      const owner = yield* newUser("renditions")
      const video = yield* upload(owner, plainClip())
      yield* workOff
      assert.deepInclude(yield* outcome(video.id), { hls: [144, 240], web: [144, 240] })
      const files = yield* sql<{ id: number; resolution: number; hls: boolean; playlist: string }>`
        select f.id, f.resolution, f.streaming_playlist_id is not null as hls, f.playlist_filename as playlist
        from video_file f left join streaming_playlist p on p.id = f.streaming_playlist_id
        where coalesce(f.video_id, p.video_id) = ${video.id} order by 2, 3`
      const [small, large] = files.filter(({ hls }) => hls)
      const [smallWeb] = files.filter(({ hls }) => !hls)
      assert.strictEqual(yield* hlsFiles.remove(video.id, small!.id), "removed")
      assert.strictEqual(yield* hlsFiles.remove(video.id, small!.id), "missing")
      assert.strictEqual(yield* hlsFiles.remove(video.id, smallWeb!.id), "missing")
      assert.strictEqual(yield* hlsFiles.remove(video.id, large!.id), "only")
      const [row] = yield* sql<{
        master: string
      }>`select playlist_filename as master from streaming_playlist where video_id = ${video.id}`
      const master = yield* Stream.runCollect(
        objects.openRead({ bucket: "streaming_playlists", name: `${video.uuid}/${row!.master}` })
      )
      const text = Buffer.concat(master).toString("utf8")
      assert.include(text, large!.playlist)
      assert.notInclude(text, small!.playlist)
      assert.strictEqual(text.split("#EXT-X-STREAM-INF").length, 2)
      assert.strictEqual(yield* deletion.webVideos(video.id, smallWeb!.id), "removed")
      assert.strictEqual(yield* deletion.playlist(video.id), "removed")
      assert.strictEqual(yield* deletion.playlist(video.id), "missing")
      assert.strictEqual(yield* deletion.webVideos(video.id, null), "last")
      assert.deepInclude(yield* outcome(video.id), { hls: [], web: [240] })
      const { expected, present } = yield* filesAfterRemovals
      assert.deepStrictEqual(present, expected)
    })
  )

  it.effect("keeps a rendition whose deletion is cut off, and nothing besides", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const store = yield* ObjectStore
      const owner = yield* newUser("cutoff")
      const video = yield* upload(owner, plainClip())
      yield* workOff
      const [file] = yield* sql<{ id: number }>`
        select f.id from video_file f join streaming_playlist p on p.id = f.streaming_playlist_id
        where p.video_id = ${video.id} order by f.resolution limit 1`
      // Once before the new playlist is stored, once right after.
      const dead = Effect.die(new Error("killed"))
      const halting = {
        ...store,
        put: (key, path) => Effect.andThen(store.put(key, path), dead)
      } satisfies typeof store
      for (const broken of [dyingStore(store, 1), halting]) {
        const exit = yield* HlsFileDeletion.use(({ remove }) => remove(video.id, file!.id)).pipe(
          Effect.provide(Layer.fresh(HlsFileDeletion.layer).pipe(Layer.provide(Layer.succeed(ObjectStore, broken))), {
            local: true
          }),
          Effect.exit
        )
        assert.isTrue(Exit.isFailure(exit))
        assert.deepInclude(yield* outcome(video.id), { hls: [144, 240], web: [144, 240] })
        const { expected, present } = yield* filesAfterRemovals
        assert.deepStrictEqual(present, expected)
      }
    })
  )

  it.effect("is private until its time comes, files and all", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { applySchedule } = yield* Housekeeping
      const owner = yield* newUser("scheduler")
      const scheduleUpdate = { updateAt: "2030-01-01T00:00:00Z", privacy: 1 }
      const video = yield* upload(owner, plainClip(), { privacy: 3, scheduleUpdate })
      yield* workOff
      const playlists = () => Effect.map(filesLeft, (all) => all.filter((name) => name.includes(video.uuid)))
      assert.isTrue((yield* playlists()).every((name) => name.startsWith("streaming_playlists_private/")))
      yield* applySchedule
      assert.isTrue((yield* playlists()).every((name) => name.startsWith("streaming_playlists_private/")))
      yield* sql`update video_schedule_update set update_at = now() - interval '1 second' where video_id = ${video.id}`
      yield* applySchedule
      const [row] = yield* sql`select privacy, listed from video where id = ${video.id}`
      assert.deepStrictEqual(row, { privacy: 1, listed: true })
      assert.lengthOf(yield* sql`select 1 from video_schedule_update where video_id = ${video.id}`, 0)
      const { expected, present } = yield* filesAfterRemovals
      assert.deepStrictEqual(present, expected)
      assert.isTrue((yield* playlists()).every((name) => name.startsWith("streaming_playlists/")))
      assert.isNotEmpty(yield* playlists())
    })
  )

  it.effect("is never left waiting for a job that has failed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const publication = yield* VideoPublication
      const owner = yield* newUser("abandoned")
      const video = yield* upload(owner, oddClip())
      assert.deepStrictEqual(yield* publication.settleAbandoned, [])
      yield* runDoomed(publishType)
      yield* sql`update job set state = 'failed' where video_id = ${video.id} and state = 'waiting'`
      assert.deepStrictEqual(yield* publication.settleAbandoned, [video.id])
      assert.strictEqual((yield* outcome(video.id)).state, 7)
    })
  )
})
