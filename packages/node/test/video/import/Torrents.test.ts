import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { readFileSync } from "node:fs"
import { folder } from "../../../../torrent/test/support/Downloading.ts"
import { infoOf, torrentOf } from "../../../../torrent/test/support/MakeTorrent.ts"
import { seeder, tracker } from "../../../../torrent/test/support/Seeding.ts"
import { plainClip } from "../upload/Clips.ts"
import { begin, importNode, lyingAbout, see, until, workOff } from "./ImportNode.ts"

layer(importNode(), { excludeTestServices: true, timeout: 60_000 })("imports of torrents", (it) => {
  it.effect("fetches the video of a magnet link from another client", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const trackers = yield* tracker
      const files = [{ path: ["A film of peers.mp4"], bytes: readFileSync(plainClip()) }]
      const made = torrentOf(infoOf(files, 16_384), { announce: trackers.http })
      yield* seeder({ folder: yield* folder, torrent: made.torrent, files, tracker: trackers.http })
      yield* until(Effect.sync(() => trackers.seeders(made.infoHash) > 0))
      const magnetUri = made.magnet(`&tr=${encodeURIComponent(trackers.http)}`)
      const { json, status, text } = yield* begin({ magnetUri })
      assert.strictEqual(status, 200, text)
      assert.strictEqual(json.video.name, "Imported video")
      const { error, state, videoId } = yield* workOff(json.id)
      assert.deepStrictEqual({ error, state }, { error: null, state: 2 })
      const [video] = yield* sql<{ name: string; size: number }>`
        select v.name, s.size from video v join video_source s on s.video_id = v.id where v.id = ${videoId}`
      assert.deepStrictEqual(video, { name: "A film of peers", size: files[0]!.bytes.length })
      assert.deepStrictEqual(yield* lyingAbout, [])
    }).pipe(Effect.scoped)
  )

  it.effect("says so when a torrent holds two videos", () =>
    Effect.gen(function* () {
      const trackers = yield* tracker
      const files = ["a", "b"].map((name) => ({ path: [`${name}.mp4`], bytes: Buffer.alloc(20_000, name) }))
      const made = torrentOf(infoOf(files, 16_384, "folder"), { announce: trackers.http })
      yield* seeder({
        folder: yield* folder,
        torrent: made.torrent,
        files: files.map(({ bytes, path }) => ({ path: ["folder", ...path], bytes })),
        tracker: trackers.http
      })
      yield* until(Effect.sync(() => trackers.seeders(made.infoHash) > 0))
      const { json } = yield* begin({ magnetUri: made.magnet(`&tr=${encodeURIComponent(trackers.http)}`) })
      const { error, state } = yield* workOff(json.id)
      assert.deepStrictEqual({ error, state }, { error: "The torrent does not hold exactly one video", state: 3 })
      assert.deepInclude(yield* see(json.id), { videoState: 12 })
    }).pipe(Effect.scoped)
  )
})
