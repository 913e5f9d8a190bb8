import { diskPath } from "../../../../storage/test/support/objects/DiskPath.ts"
import { assert, layer } from "@effect/vitest"
import { Probe } from "@kinora/media/probe/Probe"
import { JobUpkeep } from "@kinora/storage/platform/jobs/JobUpkeep"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { Removals } from "@kinora/storage/platform/objects/Removals"
import { Duration, Effect, FileSystem, Layer } from "effect"
import { join } from "node:path"
import { SqlClient } from "effect/sql/SqlClient"
import { userExportType } from "@kinora/storage/archive/export/UserExportRows"
import { UserExportWorker } from "../../../src/archive/export/UserExportWorker.ts"
import { openArchive } from "../../../src/archive/import/context/Archive.ts"
import { splitVideo } from "../../video/download/DownloadNode.ts"
import { plainClip } from "../../video/upload/Clips.ts"
import { UserExportLinks } from "../../../src/archive/export/UserExportLinks.ts"
import { bearer, send } from "../../instance/about/Client.ts"
import { People } from "../../video/list/People.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { archiveNode, json, myId } from "./ArchiveNode.ts"

const node = Layer.mergeAll(Removals.layer, UserExportLinks.layer).pipe(
  Layer.provideMerge(archiveNode({ smtp: { hostname: "127.0.0.1" }, export: { users: { max_user_video_quota: 150 } } }))
)

const request = Effect.fnUntraced(function* (token: string, userId: number, body: unknown = {}) {
  return yield* send(`/api/v1/users/${userId}/exports/request`, json(token, body))
})

const list = Effect.fnUntraced(function* (token: string, userId: number) {
  return (yield* send(`/api/v1/users/${userId}/exports`, bearer(token))).json
})

const remove = (token: string, userId: number, id: number) =>
  send(`/api/v1/users/${userId}/exports/${id}`, { ...bearer(token), method: "DELETE" })

const made = Effect.gen(function* () {
  const { other } = yield* People
  const id = yield* myId(other)
  assert.strictEqual((yield* request(other, id)).status, 200)
  assert.isTrue(yield* (yield* UserExportWorker).once)
  const { data } = yield* list(other, id)
  assert.strictEqual(data[0].state.id, 3, JSON.stringify(data))
  const { pathname, search } = new URL(data[0].privateDownloadUrl as string)
  return { id, exportId: data[0].id as number, pathname, search }
})

const cleared = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`delete from user_export`
  yield* sql`delete from job where type = ${userExportType}`
})

/** Names in the bucket of archives after what is due was removed. */
const kept = Effect.fnUntraced(function* (uuid: string) {
  while ((yield* (yield* Removals).execute(10)) > 0);
  const there = yield* Effect.option((yield* ObjectStore).stat({ bucket: "user_exports", name: `${uuid}.zip` }))
  return there._tag === "Some"
})

layer(node, { excludeTestServices: true, timeout: 120_000 })("exports of users", (it) => {
  it.effect("are asked for by the user and by administrators, once at a time", () =>
    Effect.gen(function* () {
      yield* cleared
      const { administrator, moderator, other, owner } = yield* People
      const id = yield* myId(other)
      assert.strictEqual((yield* request(owner, id)).status, 403)
      assert.strictEqual((yield* request(moderator, id)).status, 403)
      assert.strictEqual((yield* request(other, 99_999)).status, 404)
      assert.strictEqual((yield* send("/api/v1/users/x/exports", bearer(other))).status, 400)
      const wrong = yield* request(other, id, { withVideoFiles: "perhaps" })
      assert.deepStrictEqual([wrong.status, Object.keys(wrong.json["invalid-params"])], [400, ["withVideoFiles"]])
      const bare = yield* send(`/api/v1/users/${id}/exports/request`, { ...bearer(other), method: "POST" })
      assert.strictEqual(bare.status, 200, bare.text)
      assert.strictEqual((yield* request(administrator, id)).status, 409)
      const listed = yield* list(administrator, id)
      assert.deepStrictEqual(Object.keys(listed.data[0]), ["id", "state", "createdAt"])
      assert.deepStrictEqual(listed.data[0].state, { id: 1, label: "Pending" })
      assert.strictEqual((yield* remove(owner, id, bare.json.export.id)).status, 403)
      assert.strictEqual((yield* remove(administrator, id, bare.json.export.id)).status, 204)
      assert.strictEqual((yield* remove(other, id, bare.json.export.id)).status, 404)
      assert.strictEqual((yield* list(other, id)).total, 0)
      // The job finds nothing to do.
      assert.isTrue(yield* (yield* UserExportWorker).once)
    })
  )

  it.effect("picture and sound that lie apart are one file in the archive", () =>
    Effect.gen(function* () {
      yield* cleared
      const { owner } = yield* People
      const id = yield* myId(owner)
      const { uuid } = yield* splitVideo(plainClip(), "Apart", 3)
      assert.strictEqual((yield* request(owner, id, { withVideoFiles: true })).status, 200)
      assert.isTrue(yield* (yield* UserExportWorker).once)
      const [one] = (yield* list(owner, id)).data
      assert.strictEqual(one.state.id, 3, JSON.stringify(one))
      const { pathname } = new URL(one.privateDownloadUrl as string)
      const name = pathname.slice("/download/user-exports/".length)
      const folder = yield* (yield* FileSystem.FileSystem).makeTempDirectoryScoped()
      const archive = yield* openArchive(yield* diskPath(yield* ObjectStore, { bucket: "user_exports", name }))
      const path = join(folder, "joined.mp4")
      yield* archive.extract(`files/videos/video-files/${uuid}.mp4`, path, 2 ** 30)
      const info = yield* (yield* Probe).probe(path)
      assert.deepStrictEqual([info.video?.codec, info.audio[0]?.codec], ["h264", "aac"])
    }).pipe(Effect.scoped)
  )

  it.effect("with more video files than an archive may hold are refused, without them they are made", () =>
    Effect.gen(function* () {
      yield* cleared
      const { owner } = yield* People
      const id = yield* myId(owner)
      yield* addVideo({ owner: "owner" })
      yield* addVideo({ owner: "owner" })
      const refused = yield* request(owner, id, { withVideoFiles: true })
      assert.strictEqual(refused.status, 403)
      assert.match(refused.json.type, /max_user_video_quota_exceeded_for_user_export$/)
      assert.strictEqual((yield* request(owner, id, { withVideoFiles: false })).status, 200)
    })
  )

  it.effect("ZIP-07: links open their archive for a quarter of an hour, and nothing else", () =>
    Effect.gen(function* () {
      yield* cleared
      const sql = yield* SqlClient
      const links = yield* UserExportLinks
      yield* sql`delete from job where type = 'email'`
      const { exportId, id, pathname, search } = yield* made
      const mails = yield* sql<{ kind: string }>`select payload ->> 'kind' as kind from job where type = 'email'`
      assert.deepStrictEqual(mails, [{ kind: "UserExportReady" }])
      const { other } = yield* People
      const whole = yield* send(pathname + search)
      assert.strictEqual(whole.status, 200)
      assert.match(
        whole.headers.get("content-disposition") ?? "",
        /^attachment; filename="other-\d{4}-\d\d-\d\d\.zip"$/
      )
      assert.strictEqual(whole.headers.get("cache-control"), "private, no-store")
      const part = yield* send(pathname + search, { headers: { range: "bytes=0-1" } })
      assert.deepStrictEqual([part.status, part.text], [206, "PK"])
      const stranger = yield* links.issue("00000000-0000-4000-8000-000000000000")
      const token = search.slice("?jwt=".length)
      const [head, body, signature] = token.split(".") as [string, string, string]
      const unsigned = Buffer.from(JSON.stringify({ alg: "none", typ: "JWT" })).toString("base64url")
      const longer = Buffer.from(
        JSON.stringify({ ...JSON.parse(Buffer.from(body, "base64url").toString()), exp: 9_999_999_999 })
      ).toString("base64url")
      for (const query of [
        "",
        "?jwt=x",
        `?jwt=${stranger}`,
        `?jwt=${unsigned}.${body}.`,
        `?jwt=${unsigned}.${body}.${signature}`,
        `?jwt=${head}.${longer}.${signature}`,
        `?jwt=${head}.${body}.${"A".repeat(43)}`
      ]) {
        assert.strictEqual((yield* send(pathname + query)).status, 403, query)
      }
      assert.strictEqual((yield* send(`/download/user-exports/..%2f..%2fetc%2fpasswd${search}`)).status, 403)
      yield* sql`update user_export set expires_at = now() - interval '1 second'`
      assert.strictEqual((yield* send(pathname + search)).status, 403)
      assert.isUndefined((yield* list(other, id)).data[0].privateDownloadUrl)
      yield* (yield* UserExportWorker).tidy
      assert.strictEqual((yield* send(pathname + search)).status, 404)
      assert.strictEqual((yield* remove(other, id, exportId)).status, 404)
      assert.isFalse(yield* kept(pathname.slice("/download/user-exports/".length, -".zip".length)))
    })
  )

  it.effect("begin again when their node was killed, and are given up in the end", () =>
    Effect.gen(function* () {
      yield* cleared
      const sql = yield* SqlClient
      const board = yield* JobBoard
      const upkeep = yield* JobUpkeep
      const worker = yield* UserExportWorker
      const { other } = yield* People
      const id = yield* myId(other)
      assert.strictEqual((yield* request(other, id)).status, 200)
      const killed = Effect.gen(function* () {
        yield* sql`update job set run_at = now() where type = ${userExportType}`
        const job = yield* board.claim([userExportType], "a node that dies", Duration.minutes(1))
        assert.strictEqual(job._tag, "Some")
        yield* sql`update user_export set state = 2`
        yield* upkeep.expireLeases("a node that dies")
      })
      yield* killed
      assert.isTrue(yield* worker.once)
      assert.strictEqual((yield* list(other, id)).data[0].state.id, 3)
      yield* cleared
      assert.strictEqual((yield* request(other, id)).status, 200)
      for (let n = 0; n < 3; n++) yield* killed
      assert.isFalse(yield* worker.once)
      yield* worker.tidy
      const { data } = yield* list(other, id)
      assert.strictEqual(data[0].state.label, "Failed")
      assert.isString(data[0].error)
      assert.strictEqual((yield* request(other, id)).status, 200)
      assert.strictEqual((yield* list(other, id)).total, 1)
    })
  )
})
