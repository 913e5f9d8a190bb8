import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { UserExportWorker } from "../../../src/archive/export/UserExportWorker.ts"
import { UserImportWorker } from "../../../src/archive/import/UserImportWorker.ts"
import { bearer, send } from "../../instance/about/Client.ts"
import { People } from "../../video/list/People.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { archiveNode, bringArchive, json, myId } from "./ArchiveNode.ts"
import { download, readEntries } from "./DownloadedArchive.ts"

const settings = {
  saveReplay: true,
  replaySettings: { privacy: 2 },
  permanentLive: true,
  latencyMode: 3,
  dvrWindow: 600,
  schedules: [{ startAt: "2030-01-02T03:04:05.000Z" }, { startAt: "2031-01-02T03:04:05.000Z" }]
}

const liveOf = (id: number, token: string) =>
  Effect.map(send(`/api/v1/videos/live/${id}`, bearer(token)), ({ json: live }) => live)

layer(archiveNode({ live: { enabled: true, max_user_lives: 1 } }), { excludeTestServices: true, timeout: 120_000 })(
  "lives in archives",
  (it) => {
    it.effect("bring their settings along, and get a key of their own", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { owner } = yield* People
        const id = yield* myId(owner)
        const { json: me } = yield* send("/api/v1/users/me", bearer(owner))
        const channelId = me.videoChannels[0].id as number
        const fields = { channelId, name: "Every day", privacy: 1, tags: ["one", "two"], ...settings }
        const made = yield* send("/api/v1/videos/live", json(owner, fields))
        assert.strictEqual(made.status, 200, made.text)
        const live = made.json.video as { readonly id: number; readonly uuid: string }
        const { streamKey: key } = yield* liveOf(live.id, owner)
        const plain = yield* addVideo({ owner: "owner" })
        const over = yield* addVideo({ owner: "owner", state: 5 })
        yield* sql`update video set is_live = true where id = ${over.id}`

        const asked = yield* send(`/api/v1/users/${id}/exports/request`, json(owner, { withVideoFiles: false }))
        assert.strictEqual(asked.status, 200, asked.text)
        assert.isTrue(yield* (yield* UserExportWorker).once)
        const { data } = (yield* send(`/api/v1/users/${id}/exports`, bearer(owner))).json
        const bytes = yield* download(data[0].privateDownloadUrl)
        const entries = yield* readEntries(bytes)
        for (const [name, content] of entries) assert.notInclude(content.toString("latin1"), key, name)
        const { videos } = JSON.parse(entries.get("peertube/videos.json")!.toString("utf8")) as {
          readonly videos: ReadonlyArray<{ readonly uuid: string; readonly isLive: boolean; readonly live?: unknown }>
        }
        const told = (uuid: string) => videos.find((it) => it.uuid === uuid)!
        assert.deepStrictEqual(told(live.uuid).live, settings)
        assert.isTrue(told(live.uuid).isLive)
        assert.isFalse("live" in told(plain.uuid))

        const bring = Effect.gen(function* () {
          const brought = yield* bringArchive(owner, id, bytes)
          assert.strictEqual(brought.status, 200, brought.text)
          assert.isTrue(yield* (yield* UserImportWorker).once)
          const latest = yield* send(`/api/v1/users/${id}/imports/latest`, bearer(owner))
          return latest.json.resultSummary.stats.videos
        })
        // The live is there: so is the video, and so is the one that has ended.
        assert.deepStrictEqual(yield* bring, { success: 0, duplicates: 3, errors: 0 })

        yield* sql`delete from user_import_item`
        for (const { uuid } of [live, over]) {
          const deleted = yield* send(`/api/v1/videos/${uuid}`, { ...bearer(owner), method: "DELETE" })
          assert.strictEqual(deleted.status, 204)
        }
        assert.deepStrictEqual(yield* bring, { success: 1, duplicates: 1, errors: 1 }, "but the one that has ended")
        const mine = yield* send("/api/v1/users/me/videos?isLive=true", bearer(owner))
        assert.strictEqual(mine.json.total, 1)
        const [again] = mine.json.data as ReadonlyArray<{
          id: number
          uuid: string
          name: string
          state: { id: number }
        }>
        assert.deepInclude(again, { name: "Every day" })
        assert.strictEqual(again!.state.id, 4)
        assert.notStrictEqual(again!.uuid, live.uuid)
        const {
          rtmpUrl: _r,
          rtmpsUrl: _s,
          srtUrl: _t,
          whipUrl: _w,
          streamKey,
          ...now
        } = yield* liveOf(again!.id, owner)
        assert.deepStrictEqual(now, settings)
        assert.match(streamKey, /^[0-9a-f-]{36}$/)
        assert.notStrictEqual(streamKey, key)
        assert.deepStrictEqual(yield* bring, { success: 0, duplicates: 2, errors: 1 }, "once")

        // Nobody gets more lives by an archive than by hand.
        yield* sql`delete from user_import_item`
        yield* sql`delete from video where uuid = ${again!.uuid}::uuid`
        const other = yield* send("/api/v1/videos/live", json(owner, { channelId, name: "Another", privacy: 1 }))
        assert.strictEqual(other.status, 200, other.text)
        assert.deepStrictEqual(yield* bring, { success: 0, duplicates: 1, errors: 2 })
      })
    )
  }
)
