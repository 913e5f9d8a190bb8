import { assert, layer } from "@effect/vitest"
import { decodeResumableUpload } from "@kinora/domain/requests/VideoUpload"
import { defaultMediaSettings, MediaSettings } from "@kinora/media/settings/MediaSettings"
import { Tools } from "@kinora/media/tools/Tools"
import { Context, Effect, Layer, Stream } from "effect"
import { readFileSync } from "node:fs"
import { mkdtemp, rename, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Programs } from "@kinora/media/tools/Programs"
import { ResumableUploads } from "../../../src/video/upload/ResumableUploads.ts"
import { plainClip } from "./Clips.ts"
import { filesLeft, newUser, uploadNode } from "./UploadNode.ts"

/** Path of an ffprobe that a test can take away. */
class Removable extends Context.Service<Removable, string>()("test/Removable") {
  static readonly layer = Layer.effect(
    Removable,
    Effect.gen(function* () {
      const ffprobe = yield* (yield* Tools).path("ffprobe")
      const folder = yield* Effect.acquireRelease(
        Effect.promise(() => mkdtemp(join(tmpdir(), "kinora-ffprobe-"))),
        (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
      )
      const path = join(folder, "ffprobe")
      yield* Effect.promise(() => symlink(ffprobe, path))
      return path
    })
  ).pipe(Layer.provide(Layer.fresh(Tools.layer)), Layer.provide(Programs.layer), Layer.provide(NodeServices.layer))
}

const settings = Layer.effect(
  MediaSettings,
  Effect.map(Removable, (ffprobePath) => ({ ...defaultMediaSettings, ffprobePath }))
)

const node = uploadNode().pipe(Layer.provide(settings), Layer.provideMerge(Removable.layer))

layer(node, { excludeTestServices: true, timeout: 60_000 })("a machine that cannot start its tools", (it) => {
  it.effect("refuses an upload for the moment, keeps it, and takes it later", () =>
    Effect.gen(function* () {
      const ffprobe = yield* Removable
      const uploads = yield* ResumableUploads
      const owner = yield* newUser("patient")
      const bytes = readFileSync(plainClip())
      const fields = yield* decodeResumableUpload({ name: "A clip", channelId: owner.channelId, filename: "clip.mp4" })
      const id = yield* uploads.newId
      yield* uploads.create(owner.user, fields, { size: bytes.length, contentType: "video/mp4" }, id, new Map())
      yield* Effect.promise(() => rename(ffprobe, `${ffprobe}-away`))
      const range = { _tag: "Chunk", start: 0, end: bytes.length - 1, total: bytes.length } as const
      const refused = yield* Effect.flip(uploads.put(owner.user, id, range, bytes.length, Stream.make(bytes)))
      assert.deepInclude(refused, { _tag: "ServiceUnavailable", status: 503 })
      assert.lengthOf(
        (yield* filesLeft).filter((name) => name.includes(id)),
        1
      )
      yield* Effect.promise(() => rename(`${ffprobe}-away`, ffprobe))
      const status = { _tag: "Status", total: bytes.length } as const
      const taken = yield* uploads.put(owner.user, id, status, 0, Stream.empty)
      assert.strictEqual(taken._tag, "Finished")
    })
  )
})
