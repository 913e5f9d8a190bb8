import { assert, describe, it as test, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { playlistWithToken } from "../../../src/video/file/PlaylistTokens.ts"
import { bearer, send } from "../../instance/about/Client.ts"
import { baseUrl } from "../../instance/about/TestNode.ts"
import { People, peopledNode } from "../list/People.ts"
import { addVideo, putObject, type TestVideo } from "../list/Videos.ts"

const web = ({ token }: TestVideo) => `/web-videos/private/${token}-720.mp4`
const hls = ({ token, uuid }: TestVideo, name: string) => `/streaming-playlists/hls/private/${uuid}/${token}-${name}`

/** Every address of the private files, directly and past the object storage. */
const addresses = (video: TestVideo): ReadonlyArray<string> =>
  ["/static", "/object-storage-proxy"].flatMap((root) => [
    root + web(video),
    root + hls(video, "master.m3u8"),
    root + hls(video, "720.m3u8"),
    root + hls(video, "720-fragmented.mp4")
  ])

const statusOfHead = async (url: string): Promise<number> => (await fetch(url, { method: "HEAD" })).status

const password = (value: string): RequestInit => ({ headers: { "x-peertube-video-password": value } })

const fileToken = Effect.fnUntraced(function* (video: TestVideo) {
  const { owner } = yield* People
  const answer = yield* send(`/api/v1/videos/${video.uuid}/token`, { method: "POST", ...bearer(owner) })
  return answer.json.files.token as string
})

layer(peopledNode, { excludeTestServices: true })("Private files", (it) => {
  it.effect("open by login, token or password, at each of their addresses", () =>
    Effect.gen(function* () {
      const tokens = yield* People
      const video = yield* addVideo({ owner: "owner", privacy: 5, passwords: ["open sesame"] })
      const secret = yield* addVideo({ owner: "owner", privacy: 3, passwords: [] })
      const [token, another] = [yield* fileToken(video), yield* fileToken(secret)]
      for (const path of addresses(video)) {
        const statuses = yield* Effect.forEach(
          [
            send(path),
            send(path, bearer(tokens.other)),
            send(path, password("wrong")),
            send(`${path}?videoFileToken=${another}`),
            send(path, bearer(tokens.owner)),
            send(path, bearer(tokens.moderator)),
            send(path, password("open sesame")),
            send(`${path}?videoFileToken=${token}`)
          ],
          (ask) => Effect.map(ask, ({ status }) => status)
        )
        // Wrong passwords are counted: after ten of them nobody may try again for a while.
        assert.deepStrictEqual(statuses, [403, 403, 403, 403, 200, 200, 200, 200], path)
        assert.strictEqual((yield* send(path, bearer("0".repeat(40)))).status, 401, path)
      }
      for (const path of addresses(secret)) {
        assert.strictEqual((yield* send(path, password("open sesame"))).status, 403, path)
        const answer = yield* send(`${path}?videoFileToken=${another}`)
        assert.deepStrictEqual([answer.status, answer.headers.get("cache-control")], [200, "private, no-store"], path)
      }
    })
  )

  it.effect("answer HEAD, ranges and conditions only to who may have them", () =>
    Effect.gen(function* () {
      const video = yield* addVideo({ owner: "owner", privacy: 3 })
      const query = `?videoFileToken=${yield* fileToken(video)}`
      for (const path of [addresses(video)[0]!, addresses(video)[3]!, addresses(video)[4]!, addresses(video)[7]!]) {
        const ask = (headers: Record<string, string>, method = "GET") => send(path + query, { headers, method })
        const whole = yield* ask({})
        const size = Number(whole.headers.get("content-length"))
        const etag = whole.headers.get("etag")!
        assert.strictEqual(whole.text.length, size)
        const head = yield* ask({}, "HEAD")
        assert.deepStrictEqual([head.status, head.headers.get("content-length"), head.text], [200, `${size}`, ""])
        const part = yield* ask({ range: "bytes=4-8" })
        assert.deepStrictEqual(
          [part.status, part.text, part.headers.get("content-range")],
          [206, whole.text.slice(4, 9), `bytes 4-8/${size}`]
        )
        assert.strictEqual((yield* ask({ range: "bytes=-3" })).text, whole.text.slice(-3))
        const several = yield* ask({ range: "bytes=0-1,4-5" })
        assert.match(several.headers.get("content-type") ?? "", /^multipart\/byteranges/)
        assert.include(several.text.toLowerCase(), `content-range: bytes 4-5/${size}`)
        const beyond = yield* ask({ range: `bytes=${size}-` })
        assert.deepStrictEqual([beyond.status, beyond.headers.get("content-range")], [416, `bytes */${size}`])
        for (const range of ["bytes=8-4", "bytes=a-b", "lines=1-2", "bytes=0-5,3-9"]) {
          assert.strictEqual((yield* ask({ range })).status, 200, range)
        }
        const base = yield* baseUrl
        assert.strictEqual(yield* Effect.promise(() => statusOfHead(base + path)), 403)
        assert.strictEqual((yield* ask({ "if-none-match": etag })).status, 304)
        assert.strictEqual((yield* ask({ "if-match": '"other"' })).status, 412)
        assert.strictEqual((yield* ask({ range: "bytes=0-1", "if-range": '"other"' })).status, 200)
        for (const headers of [{ "if-none-match": etag }, { "if-match": etag }, { range: "bytes=0-1" }]) {
          const refused = yield* send(path, { headers })
          assert.deepStrictEqual([refused.status, refused.headers.get("etag")], [403, null])
        }
      }
    })
  )

  it.effect("playlists hand the token on, past the object storage too", () =>
    Effect.gen(function* () {
      const tokens = yield* People
      const video = yield* addVideo({ owner: "owner", privacy: 3 })
      const token = `videoFileToken=${yield* fileToken(video)}`
      for (const root of ["/static", "/object-storage-proxy"]) {
        const path = root + hls(video, "720.m3u8")
        const media = yield* send(`${path}?${token}&reinjectVideoFileToken=true`)
        assert.include(media.text, `#EXT-X-MAP:URI="${video.token}-720-fragmented.mp4?${token}",BYTERANGE="10@0"`)
        assert.include(media.text, `\n${video.token}-720-fragmented.mp4?${token}\n`)
        assert.strictEqual(media.headers.get("cache-control"), "private, no-store")
        const next = /^[^#].*$/m.exec(media.text)![0]
        assert.strictEqual((yield* send(`${path.slice(0, path.lastIndexOf("/"))}/${next}`)).text, "fragmented bytes")
        const master = yield* send(`${root}${hls(video, "master.m3u8")}?${token}&reinjectVideoFileToken=true`)
        assert.include(master.text, `\n${video.token}-720.m3u8?${token}&reinjectVideoFileToken=true\n`)
        const head = yield* send(`${path}?${token}&reinjectVideoFileToken=true`, { method: "HEAD" })
        assert.deepStrictEqual([head.status, head.text], [200, ""])
        assert.strictEqual((yield* send(`${path}?${token}x&reinjectVideoFileToken=true`)).status, 403)
        // What the owner writes into the address comes back as text of an address, never as lines of a playlist.
        const forged = `${path}?videoFileToken=${encodeURIComponent('"\n#EXT-X-EVIL')}&reinjectVideoFileToken=true`
        assert.notInclude((yield* send(forged, bearer(tokens.owner))).text, "\n#EXT-X-EVIL")
      }
    })
  )

  it.effect("copies of other instances' files are served when they are there", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [kept, hidden, ours] = [
        yield* addVideo({ owner: "owner" }),
        yield* addVideo({ owner: "owner", privacy: 3 }),
        yield* addVideo({ owner: "owner" })
      ]
      yield* sql`update video set remote = true where id in (${kept.id}, ${hidden.id})`
      for (const { uuid } of [kept, hidden, ours]) yield* putObject("redundancy", `${uuid}/copy-720.mp4`, "a copy")
      const path = ({ uuid }: TestVideo, name = "copy-720.mp4") => `/static/redundancy/hls/${uuid}/${name}`
      const answer = yield* send(path(kept))
      assert.deepStrictEqual(
        [answer.status, answer.text, answer.headers.get("content-type")],
        [200, "a copy", "video/mp4"]
      )
      assert.strictEqual((yield* send(path(kept), { headers: { range: "bytes=2-" } })).text, "copy")
      const missing = [
        path(hidden),
        path(ours),
        path(kept, "other.mp4"),
        path(kept, "..%2f..%2fcopy-720.mp4"),
        "/static/redundancy/hls/not-a-uuid/copy-720.mp4",
        "/static/redundancy/hls/00000000-0000-4000-8000-000000000000/copy-720.mp4"
      ]
      for (const address of missing) assert.strictEqual((yield* send(address)).status, 404, address)
    })
  )
})

describe("playlistWithToken", () => {
  test("gives the token to our own addresses alone", () => {
    const playlist = [
      "#EXTM3U",
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",URI="audio.m3u8"',
      '#EXT-X-KEY:METHOD=AES-128,URI="data:text/plain,key"',
      "#EXT-X-BYTERANGE:100@0",
      "https://cdn.example/part.mp4",
      "//cdn.example/part.mp4",
      "part.mp4?x=1\r",
      ""
    ].join("\n")
    assert.deepStrictEqual(playlistWithToken(playlist, "a&b").split("\n"), [
      "#EXTM3U",
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",URI="audio.m3u8?videoFileToken=a%26b&reinjectVideoFileToken=true"',
      '#EXT-X-KEY:METHOD=AES-128,URI="data:text/plain,key"',
      "#EXT-X-BYTERANGE:100@0",
      "https://cdn.example/part.mp4",
      "//cdn.example/part.mp4",
      "part.mp4?x=1&videoFileToken=a%26b",
      ""
    ])
  })
})
