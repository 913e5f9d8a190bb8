import { assert, layer } from "@effect/vitest"
import { readObject } from "@kinora/storage/platform/objects/ObjectBytes"
import type { Bucket } from "@kinora/storage/platform/objects/ObjectKey"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { makeVideoDetails } from "@kinora/storage/video/read/VideoTexts"
import { prepareReadModels } from "@kinora/storage/video/read/ReadModelVersion"
import { VideoPrivacy } from "@kinora/storage/video/write/VideoPrivacy"
import { Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { createHash } from "node:crypto"
import { plainClip } from "../upload/Clips.ts"
import { filesLeft, newUser, uploadNode } from "../upload/UploadNode.ts"
import { dyingStore, filesAfterRemovals, upload, workOff } from "./Pipeline.ts"

const origin = "http://localhost:9000"

interface WireFile {
  readonly fileUrl: string
  readonly magnetUri: string
  readonly playlistUrl?: string
  readonly torrentDownloadUrl: string
  readonly torrentUrl: string
}

interface WireDetails {
  readonly files: ReadonlyArray<WireFile>
  readonly streamingPlaylists: ReadonlyArray<{
    readonly playlistUrl: string
    readonly segmentsSha256Url: string
    readonly files: ReadonlyArray<WireFile>
  }>
}

const details = Effect.fnUntraced(function* (videoId: number) {
  const sql = yield* SqlClient
  const texts = yield* makeVideoDetails(sql, [videoId])
  return JSON.parse(`${texts.get(videoId)}}`) as WireDetails
})

/** The object behind an address of ours. */
const read = Effect.fnUntraced(function* (address: string) {
  const objects = yield* ObjectStore
  const [, folder, hidden, name] =
    /^http:\/\/localhost:9000\/(?:static|lazy-static)\/(web-videos|streaming-playlists\/hls|torrents)\/(private\/)?(.+)$/.exec(
      address
    ) ?? []
  const bucket = `${(folder ?? "").replace("/hls", "").replaceAll("-", "_")}${hidden === undefined ? "" : "_private"}`
  return yield* readObject(objects, { bucket: bucket as Bucket, name: name ?? "" })
})

const nameOf = (address: string) => address.slice(address.lastIndexOf("/") + 1)

/** Everything a playlist names. */
const namesIn = (playlist: string) =>
  [...playlist.matchAll(/URI="([^"]*)"/g), ...playlist.matchAll(/^([^#\n].*)$/gm)].map(([, name]) => name)

const allFiles = (wire: WireDetails) => [...wire.files, ...wire.streamingPlaylists.flatMap(({ files }) => files)]

/** Reads everything the wire names, as a player and a torrent client would, and holds the parts against each other. */
const consistent = Effect.fnUntraced(function* (wire: WireDetails) {
  const [playlist] = wire.streamingPlaylists
  const master = (yield* read(playlist!.playlistUrl)).toString()
  const digests = JSON.parse((yield* read(playlist!.segmentsSha256Url)).toString())
  assert.sameMembers(
    Object.keys(digests),
    playlist!.files.map(({ fileUrl }) => nameOf(fileUrl))
  )
  assert.sameMembers(
    namesIn(master),
    playlist!.files.map(({ playlistUrl }) => nameOf(playlistUrl!))
  )
  for (const file of playlist!.files) {
    const named = namesIn((yield* read(file.playlistUrl!)).toString())
    assert.isAbove(named.length, 1)
    assert.isTrue(named.every((name) => name === nameOf(file.fileUrl)))
    const bytes = yield* read(file.fileUrl)
    for (const [range, digest] of Object.entries(digests[nameOf(file.fileUrl)])) {
      const [start, end] = range.split("-").map(Number)
      const sum = createHash("sha256").update(bytes.subarray(start, end! + 1))
      assert.strictEqual(sum.digest("hex"), digest)
    }
  }
  for (const file of allFiles(wire)) {
    const hash = /&xt=urn:btih:([0-9a-f]{40})&/.exec(file.magnetUri)?.[1]
    const torrent = (yield* read(file.torrentUrl)).toString("latin1")
    const info = torrent.slice(torrent.indexOf("4:info") + 6, torrent.lastIndexOf("8:url-list"))
    assert.strictEqual(createHash("sha1").update(info, "latin1").digest("hex"), hash)
    assert.isTrue(torrent.endsWith(`8:url-listl${file.fileUrl.length}:${file.fileUrl}ee`), file.fileUrl)
    assert.include(torrent, `8:announce${origin.length + 17}:${origin}/tracker/announce`)
    assert.include(info, `6:lengthi${(yield* read(file.fileUrl)).length}e`)
    assert.match(nameOf(file.torrentUrl), /^[0-9a-f-]{36}-\d+(-hls)?\.torrent$/)
    assert.strictEqual(file.torrentDownloadUrl, `${origin}/download/torrents/${nameOf(file.torrentUrl)}`)
  }
})

const addresses = (wire: WireDetails): ReadonlyArray<string> => [
  ...allFiles(wire).flatMap((file) => [file.fileUrl, file.torrentUrl, ...(file.playlistUrl ? [file.playlistUrl] : [])]),
  ...wire.streamingPlaylists.flatMap((one) => [one.playlistUrl, one.segmentsSha256Url])
]

const node = VideoPrivacy.layer.pipe(
  Layer.provideMerge(uploadNode({ processing: { resolutions: [144, 240], splitAudio: true } }))
)

layer(node, { excludeTestServices: true, timeout: 120_000 })("a video that changes its privacy", (it) => {
  it.effect("takes its files along under new names, all of one piece", () =>
    Effect.gen(function* () {
      yield* prepareReadModels(origin)
      const privacy = yield* VideoPrivacy
      const video = yield* upload(yield* newUser("turning"), plainClip(), { name: "Turning / private: ü?" })
      yield* workOff
      const open = yield* details(video.id)
      assert.lengthOf(open.streamingPlaylists[0]!.files, 3)
      yield* consistent(open)
      assert.isTrue(yield* privacy.set(video.id, 3))
      const hidden = yield* details(video.id)
      yield* consistent(hidden)
      assert.isTrue(hidden.streamingPlaylists[0]!.playlistUrl.includes("/private/"))
      const before = new Set(addresses(open).map((address) => nameOf(address).slice(0, 36)))
      for (const address of addresses(hidden)) assert.isFalse(before.has(nameOf(address).slice(0, 36)), address)
      const { expected, present } = yield* filesAfterRemovals
      assert.deepStrictEqual(present, expected)
      yield* consistent(hidden)
      // From one that not everybody sees to another: nothing moves.
      assert.isTrue(yield* privacy.set(video.id, 4))
      assert.deepStrictEqual(addresses(yield* details(video.id)), addresses(hidden))
      assert.isTrue(yield* privacy.set(video.id, 1))
      const again = yield* details(video.id)
      yield* consistent(again)
      assert.isFalse(again.streamingPlaylists[0]!.playlistUrl.includes("/private/"))
      const after = yield* filesAfterRemovals
      assert.deepStrictEqual(after.present, after.expected)
      assert.isFalse(yield* privacy.set(video.id + 1000, 3))
    })
  )

  it.effect("has one whole set of files wherever the change is cut off", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const store = yield* ObjectStore
      const video = yield* upload(yield* newUser("cut"), plainClip())
      yield* workOff
      const open = yield* details(video.id)
      const objects = addresses(open).length
      for (let at = 1; at <= objects + 1; at++) {
        const dying = Layer.fresh(VideoPrivacy.layer).pipe(
          Layer.provide(Layer.succeed(ObjectStore, dyingStore(store, at)))
        )
        const exit = yield* VideoPrivacy.use(({ set }) => set(video.id, 3)).pipe(
          Effect.provide(dying, { local: true }),
          Effect.exit
        )
        const last = at === objects + 1
        assert.strictEqual(Exit.isSuccess(exit), last, `${at} of ${objects}`)
        const now = yield* details(video.id)
        if (!last) assert.deepStrictEqual(addresses(now), addresses(open))
        yield* consistent(now)
        const due = yield* sql`select 1 from object_removal where not_before > now() + interval '1 minute'`
        // What replaced the first publication an hour ago aside, nothing waits.
        if (at > 1) assert.lengthOf(due, 0)
        const { expected, present } = yield* filesAfterRemovals
        assert.deepStrictEqual(present, expected, `${at} of ${objects}`)
      }
      const left = (yield* filesLeft).filter((name) => name.includes(video.uuid))
      assert.isTrue(left.every((name) => name.startsWith("streaming_playlists_private/")))
    })
  )

  it.effect("starts over when its files are changed meanwhile", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const store = yield* ObjectStore
      const video = yield* upload(yield* newUser("meanwhile"), plainClip())
      yield* workOff
      let disturbed = false
      const disturb = Effect.suspend(() => {
        if (disturbed) return Effect.void
        disturbed = true
        return Effect.orDie(sql`delete from video_file where video_id = ${video.id} and resolution = 144`)
      })
      const disturbing = {
        ...store,
        copy: (from, to) => Effect.andThen(disturb, store.copy(from, to))
      } satisfies typeof store
      const set = VideoPrivacy.use((privacy) => privacy.set(video.id, 3)).pipe(
        Effect.provide(Layer.fresh(VideoPrivacy.layer).pipe(Layer.provide(Layer.succeed(ObjectStore, disturbing))), {
          local: true
        })
      )
      assert.isTrue(yield* set)
      const wire = yield* details(video.id)
      assert.lengthOf(wire.files, 1)
      yield* consistent(wire)
      const { expected, present } = yield* filesAfterRemovals
      const strays = present.filter((name) => !expected.includes(name))
      // The row was deleted behind the storage's back: its file and torrent stay, and nothing else does.
      assert.lengthOf(strays, 2)
      assert.isTrue(strays.every((name) => /144\.(mp4|torrent)$/.test(name)))
    })
  )
})
