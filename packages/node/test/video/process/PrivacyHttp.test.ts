import { assert, layer } from "@effect/vitest"
import { VideoPrivacy } from "@kinora/storage/video/write/VideoPrivacy"
import { Effect, Layer, Schedule } from "effect"
import { bearer, send } from "../../instance/about/Client.ts"
import { People, peopledNode } from "../list/People.ts"
import { addVideo, putObject } from "../list/Videos.ts"

interface Named {
  readonly fileUrl: string
  readonly torrentUrl: string
  readonly playlistUrl?: string
}

const node = VideoPrivacy.layer.pipe(Layer.provideMerge(peopledNode))

layer(node, { excludeTestServices: true })("addresses of a video that turns private", (it) => {
  it.effect("lead nowhere any more; the new ones are for those who may see it", () =>
    Effect.gen(function* () {
      const tokens = yield* People
      const privacy = yield* VideoPrivacy
      const video = yield* addVideo({ owner: "owner" })
      yield* putObject("streaming_playlists", `${video.uuid}/${video.token}-segments-sha256.json`, "{}")
      yield* putObject("torrents", `${video.token}-hls.torrent`, "d4:infodee")
      const owner = bearer(tokens.owner)
      const addresses = Effect.fnUntraced(function* () {
        const { json } = yield* send(`/api/v1/videos/${video.uuid}`, owner)
        const [playlist] = json.streamingPlaylists
        const files: ReadonlyArray<Named> = [...json.files, ...playlist.files]
        return [
          playlist.playlistUrl,
          playlist.segmentsSha256Url,
          ...files.flatMap(({ fileUrl, playlistUrl, torrentUrl }) => [fileUrl, torrentUrl, playlistUrl ?? fileUrl])
        ].map((address: string) => new URL(address).pathname)
      })
      const open = yield* addresses()
      for (const path of open) assert.strictEqual((yield* send(path)).status, 200, path)
      assert.isTrue(yield* privacy.set(video.id, 3))
      const gone = Effect.forEach(open, (path) => Effect.map(send(path, owner), ({ status }) => status))
      yield* gone.pipe(
        Effect.repeat({
          until: (statuses) => statuses.every((status) => status === 404),
          schedule: Schedule.max([Schedule.spaced("100 millis"), Schedule.recurs(15)])
        }),
        Effect.tap((statuses) => Effect.sync(() => assert.isTrue(statuses.every((status) => status === 404))))
      )
      // Nor do the old names in the private folder.
      for (const path of open.filter((one) => one.startsWith("/static/"))) {
        const guess = path.replace("/web-videos/", "/web-videos/private/").replace("/hls/", "/hls/private/")
        assert.strictEqual((yield* send(guess, owner)).status, 404, guess)
      }
      const hidden = yield* addresses()
      for (const path of hidden) {
        assert.isFalse(path.includes(video.token), path)
        assert.strictEqual((yield* send(path)).status, 403, path)
        const answer = yield* send(path, owner)
        assert.strictEqual(answer.status, 200, path)
        assert.strictEqual(answer.headers.get("cache-control"), "private, no-store", path)
      }
    })
  )
})
