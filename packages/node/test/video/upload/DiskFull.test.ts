import { assert, layer } from "@effect/vitest"
import { decodeResumableUpload } from "@kinora/domain/requests/VideoUpload"
import { Effect, Stream } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe } from "vitest"
import { FormUpload } from "../../../src/video/upload/FormUpload.ts"
import { ResumableUploads } from "../../../src/video/upload/ResumableUploads.ts"
import { UploadDisk } from "../../../src/video/staging/UploadDisk.ts"
import { plainClip } from "./Clips.ts"
import { fieldParts, formBody, formType } from "./Form.ts"
import { newUser, uploadNode } from "./UploadNode.ts"

const mebibyte = 1024 ** 2
const disk = mkdtempSync(join(tmpdir(), "kinora-small-disk-"))

/** A disk of 2 MiB; only root may mount one. */
const mounted = (() => {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", disk], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
})()

afterAll(() => {
  if (mounted) execFileSync("umount", [disk])
  rmSync(disk, { recursive: true, force: true })
})

const total = 1.5 * mebibyte
const video = readFileSync(plainClip())
/** A clip that browsers play and that is as large as wanted: players skip the `free` box. */
const bytes = Buffer.concat([video, Buffer.alloc(total - video.length)])
bytes.writeUInt32BE(total - video.length, video.length)
bytes.write("free", video.length + 4, "latin1")

describe.skipIf(!mounted)("a full disk (needs root, to mount a small one)", () => {
  layer(uploadNode({ uploadsDirectory: disk }))((it) => {
    const begin = Effect.fn("begin")(function* (name: string, size: number) {
      const uploads = yield* ResumableUploads
      const owner = yield* newUser(name)
      const id = yield* uploads.newId
      const fields = yield* decodeResumableUpload({ name: "Full", channelId: owner.channelId, filename: "a.mp4" })
      yield* uploads.create(owner.user, fields, { size, contentType: "video/mp4" }, id, new Map())
      const put = (start: number, end: number) =>
        uploads.put(
          owner.user,
          id,
          { _tag: "Chunk", start, end: end - 1, total: size },
          end - start,
          Stream.fromIterable([bytes.subarray(start, (start + end) / 2), bytes.subarray((start + end) / 2, end)])
        )
      return { id, owner, put }
    })

    it.effect("is reserved for what other uploads still need", () =>
      Effect.gen(function* () {
        const uploads = yield* ResumableUploads
        const first = yield* begin("first", total)
        const refused = yield* Effect.flip(begin("second", total))
        assert.strictEqual(refused._tag, "InsufficientStorage")
        yield* first.put(0, mebibyte)
        assert.strictEqual((yield* Effect.flip(begin("third", mebibyte)))._tag, "InsufficientStorage")
        yield* uploads.cancel(first.owner.user, first.id)
        const next = yield* begin("fourth", mebibyte)
        yield* uploads.cancel(next.owner.user, next.id)
      })
    )

    it.effect(
      "ends a chunk with a clear error, harms nothing, and lets the upload go on when there is room again",
      () =>
        Effect.gen(function* () {
          const files = yield* UploadDisk
          const { id, put } = yield* begin("full", total)
          assert.deepStrictEqual(yield* put(0, mebibyte / 2), { _tag: "Received", received: mebibyte / 2 })
          // Somebody else, who reserves nothing, fills the disk.
          const filler = join(disk, "filler")
          writeFileSync(filler, Buffer.alloc(1.25 * mebibyte))
          const error = yield* Effect.flip(put(mebibyte / 2, total))
          assert.strictEqual(error._tag, "InsufficientStorage")
          const sql = yield* SqlClient
          const [row] = yield* sql<{ received: number }>`select received from upload_session where id = ${id}`
          const size = (yield* Effect.promise(() => stat(files.path(id)))).size
          assert.strictEqual(size, row!.received)
          assert.deepStrictEqual(readFileSync(files.path(id)), bytes.subarray(0, size))
          yield* Effect.promise(() => rm(filler))
          const done = yield* put(size, total)
          assert.strictEqual(done._tag, "Finished")
        })
    )

    it.effect("refuses a form and keeps nothing of it", () =>
      Effect.gen(function* () {
        const forms = yield* FormUpload
        const sql = yield* SqlClient
        const files = yield* UploadDisk
        const owner = yield* newUser("form")
        const body = formBody([
          ...fieldParts({ name: "Full", channelId: String(owner.channelId) }),
          { name: "videofile", filename: "a.mp4", type: "video/mp4", content: Buffer.concat([bytes, bytes]) }
        ])
        const headers = { "content-type": formType }
        const sessions = sql<{ id: string }>`select id from upload_session where state <> 'done'`
        for (const length of [body.length, undefined]) {
          const refused = yield* Effect.flip(forms.receive(owner.user, headers, length, Stream.make(body)))
          assert.strictEqual(refused._tag, "InsufficientStorage")
          assert.deepStrictEqual(yield* sessions, [])
          assert.strictEqual((yield* files.ids).size, 0)
        }
      })
    )
  })
})
