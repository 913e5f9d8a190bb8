import { diskPath } from "../../support/objects/DiskPath.ts"
import { afterAll, assert, layer } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { access, mkdir, readdir, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { layer as diskLayer } from "../../../src/platform/objects/DiskObjectStore.ts"
import { type Bucket, buckets, isValidKey, type ObjectKey } from "../../../src/platform/objects/ObjectKey.ts"
import { ObjectStore } from "../../../src/platform/objects/ObjectStore.ts"
import { Removals } from "../../../src/platform/objects/Removals.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

const root = mkdtempSync(join(tmpdir(), "kinora-objects-"))
const directories = Object.fromEntries(buckets.map((bucket) => [bucket, join(root, bucket)])) as Record<Bucket, string>
/** A file system of 128 KiB, where this process may mount one. */
const smallDisk = (() => {
  mkdirSync(directories.torrents)
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=128k", "tmpfs", directories.torrents], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
})()
afterAll(() => {
  if (smallDisk) execFileSync("umount", [directories.torrents])
  rmSync(root, { recursive: true, force: true })
})

const Services = Removals.layer.pipe(Layer.provideMerge(diskLayer({ directories })), Layer.provideMerge(TestDatabase))

const uuid = "0b6c9a3e-6f0f-4f1e-9c39-6a6f3c1f0d11"
const web = (name: string): ObjectKey => ({ bucket: "web_videos", name })
const hls = (name: string): ObjectKey => ({ bucket: "streaming_playlists", name: `${uuid}/${name}` })

const source = Effect.fnUntraced(function* (content: string) {
  const path = join(root, `source-${content.length}-${content.slice(0, 5)}`)
  yield* Effect.promise(() => writeFile(path, content))
  return path
})

const text = (key: ObjectKey, range?: { start: number; end: number }) =>
  Effect.flatMap(ObjectStore, (store) => Stream.runCollect(store.openRead(key, range))).pipe(
    Effect.map((chunks) => Buffer.concat([...chunks]).toString())
  )

const exists = (path: string) =>
  Effect.promise(() =>
    access(path).then(
      () => true,
      () => false
    )
  )

layer(Services)("DiskObjectStore", (it) => {
  it.effect("keeps private files from other accounts of the machine, and opens them when they turn public", () =>
    Effect.gen(function* () {
      const store = yield* ObjectStore
      const mode = (path: string) => Effect.promise(async () => ((await stat(path)).mode & 0o777).toString(8))
      const modes = (bucket: Bucket, name: string) =>
        Effect.all([mode(directories[bucket]), mode(join(directories[bucket], name))])
      const secret: ObjectKey = { bucket: "web_videos_private", name: "secret.mp4" }
      yield* store.put(secret, yield* source("secret"))
      assert.deepStrictEqual(yield* modes("web_videos_private", "secret.mp4"), ["700", "600"])
      yield* store.copy(secret, web("shown.mp4"))
      assert.deepStrictEqual(yield* modes("web_videos", "shown.mp4"), ["755", "644"])
      const folder: ObjectKey = { bucket: "streaming_playlists_private", name: `${uuid}/hidden.mp4` }
      yield* store.copy(web("shown.mp4"), folder)
      assert.deepStrictEqual(yield* modes("streaming_playlists_private", uuid), ["700", "700"])
      assert.deepStrictEqual(yield* modes("streaming_playlists_private", folder.name), ["700", "600"])
      for (const key of [secret, web("shown.mp4"), folder]) yield* store.remove(key)
    })
  )

  it.effect("moves a file in, and gives it out whole or in part", () =>
    Effect.gen(function* () {
      const store = yield* ObjectStore
      const path = yield* source("0123456789")
      const stat = yield* store.put(web("a-720.mp4"), path)
      assert.strictEqual(stat.size, 10)
      assert.isFalse(yield* exists(path))
      assert.strictEqual(yield* text(web("a-720.mp4")), "0123456789")
      assert.strictEqual(yield* text(web("a-720.mp4"), { start: 3, end: 5 }), "345")
      assert.strictEqual(yield* diskPath(store, web("a-720.mp4")), join(directories.web_videos, "a-720.mp4"))
      yield* store.put(web("a-720.mp4"), yield* source("new"))
      assert.strictEqual(yield* text(web("a-720.mp4")), "new")
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(directories.web_videos)), ["a-720.mp4"])
    })
  )

  it.effect("copies where a rename cannot reach", () =>
    Effect.gen(function* () {
      const store = yield* ObjectStore
      const other = mkdtempSync("/dev/shm/kinora-objects-")
      const path = join(other, "file")
      yield* Effect.promise(() => writeFile(path, "from another device"))
      yield* store.put(web("far.mp4"), path)
      assert.strictEqual(yield* text(web("far.mp4")), "from another device")
      assert.isFalse(yield* exists(path))
      yield* store.remove(web("far.mp4"))
    })
  )

  it.effect("gives a second name between public and private, and leaves no empty folder", () =>
    Effect.gen(function* () {
      const store = yield* ObjectStore
      yield* store.put(hls("one.mp4"), yield* source("hls"))
      const hidden: ObjectKey = { bucket: "streaming_playlists_private", name: `${uuid}/two.mp4` }
      yield* store.copy(hls("one.mp4"), hidden)
      assert.strictEqual(yield* text(hls("one.mp4")), "hls")
      yield* store.remove(hls("one.mp4"))
      assert.strictEqual(yield* text(hidden), "hls")
      assert.strictEqual((yield* Effect.flip(store.copy(hls("one.mp4"), hls("three.mp4"))))._tag, "ObjectNotFound")
      assert.isFalse(yield* exists(join(directories.streaming_playlists, uuid)))
      yield* store.removeFolder("streaming_playlists_private", uuid)
      yield* store.removeFolder("streaming_playlists_private", uuid)
      assert.strictEqual((yield* Effect.flip(store.stat(hidden)))._tag, "ObjectNotFound")
    })
  )

  it.effect("finds nothing under names that are not ours, and writes nothing there", () =>
    Effect.gen(function* () {
      const store = yield* ObjectStore
      const outside = join(dirname(directories.web_videos), "secret.txt")
      yield* Effect.promise(() => writeFile(outside, "secret"))
      yield* Effect.promise(() => mkdir(join(directories.web_videos, "folder"), { recursive: true }))
      for (const name of [
        "../secret.txt",
        "/etc/passwd",
        "..",
        ".",
        "",
        ".hidden",
        "a/b.mp4",
        "a\\b",
        "a\0b",
        "a\nb",
        "%2e%2e",
        `${uuid}/x.mp4`,
        "folder",
        "x".repeat(300)
      ]) {
        assert.strictEqual((yield* Effect.flip(store.stat(web(name))))._tag, "ObjectNotFound", name)
        assert.strictEqual((yield* Effect.flip(Stream.runDrain(store.openRead(web(name)))))._tag, "ObjectNotFound")
        if (name !== "folder") {
          assert.strictEqual((yield* Effect.flip(store.place(web(name))))._tag, "ObjectNotFound", name)
          assert.isTrue((yield* Effect.exit(store.put(web(name), outside)))._tag === "Failure")
        }
      }
      for (const name of ["x.mp4", `${uuid}/../x`, `${uuid}/`, `${uuid}//x`, `${uuid}/.x`]) {
        assert.isFalse(isValidKey({ bucket: "streaming_playlists", name }), name)
      }
      assert.isTrue(yield* exists(outside))
    })
  )

  it.effect("knows the free space", () =>
    Effect.gen(function* () {
      const store = yield* ObjectStore
      assert.isAbove(yield* store.freeBytes("uploads"), 1024 * 1024)
    })
  )

  it.effect.skipIf(!smallDisk)("says that the disk is full, and leaves nothing behind", () =>
    Effect.gen(function* () {
      const store = yield* ObjectStore
      const path = yield* source("x".repeat(300_000))
      const key: ObjectKey = { bucket: "torrents", name: "large.torrent" }
      assert.strictEqual((yield* Effect.flip(store.put(key, path)))._tag, "InsufficientStorage")
      assert.isTrue(yield* exists(path))
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(directories.torrents)), [])
    })
  )

  it.effect("removes later what a transaction gave up", () =>
    Effect.gen(function* () {
      const store = yield* ObjectStore
      const removals = yield* Removals
      const sql = yield* SqlClient
      yield* store.put(web("old.mp4"), yield* source("old"))
      yield* store.put(hls("a.mp4"), yield* source("hls a"))
      yield* store.put(web("kept.mp4"), yield* source("kept"))
      yield* Effect.ignore(
        sql.withTransaction(Effect.andThen(removals.schedule([web("kept.mp4")]), Effect.fail("rolled back")))
      )
      yield* removals.schedule([web("old.mp4"), { bucket: "streaming_playlists", name: uuid }, web("gone.mp4")])
      yield* removals.schedule([web("kept.mp4")], "1 hour")
      assert.strictEqual(yield* removals.execute(100), 3)
      assert.strictEqual(yield* removals.execute(100), 0)
      assert.strictEqual((yield* Effect.flip(store.stat(web("old.mp4"))))._tag, "ObjectNotFound")
      assert.isFalse(yield* exists(join(directories.streaming_playlists, uuid)))
      assert.strictEqual(yield* text(web("kept.mp4")), "kept")
    })
  )
})
