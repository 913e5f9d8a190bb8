import { assert, describe, it } from "@effect/vitest"
import type { VideoDetails, VideoFile } from "../../src/api/Wire.ts"
import { availability, localPath, preferring, withAddresses } from "../../src/player/Media.ts"

const origin = "https://kinora.example"
const file = (height: number, sound = true, picture = true): VideoFile => ({
  resolution: { id: height, label: `${height}p` },
  fileUrl: `${origin}/static/${height}.mp4`,
  fps: 25,
  hasAudio: sound,
  hasVideo: picture
})
const video = (parts: Partial<VideoDetails> = {}): VideoDetails => ({
  name: "A video",
  description: null,
  privacy: { id: 1, label: "Public" },
  duration: 60,
  isLive: false,
  nsfw: false,
  nsfwFlags: 0,
  nsfwSummary: "",
  publishedAt: "2026-11-01T10:00:00.000Z",
  state: { id: 1, label: "Published" },
  files: [],
  streamingPlaylists: [],
  ...parts
})
const playlist = (...files: Array<VideoFile>) => [{ playlistUrl: `${origin}/static/master.m3u8`, files }]
const modern = { mediaSource: true, nativeHls: false }
const apple = { mediaSource: false, nativeHls: true }

describe("availability", () => {
  it("prefers HLS through media source, with files to fall back on", () => {
    const found = availability(
      video({ streamingPlaylists: playlist(file(720)), files: [file(480), file(720)] }),
      modern
    )
    assert.strictEqual(found.kind, "media")
    if (found.kind !== "media") return
    assert.deepStrictEqual(
      found.ways.map((it) => it.kind),
      ["hls", "files"]
    )
    const files = found.ways[1]
    assert.deepStrictEqual(files?.kind === "files" && files.files.map((it) => it.resolution.id), [720, 480])
  })

  it("asks for the whole of hls.js only for lives", () => {
    const whole = (isLive: boolean) => {
      const found = availability(video({ streamingPlaylists: playlist(file(720)), isLive }), modern)
      return found.kind === "media" && found.ways[0]?.kind === "hls" && found.ways[0].whole
    }
    assert.isTrue(whole(true))
    assert.isFalse(whole(false))
  })

  it("uses the browser's own HLS where there is no media source", () => {
    const found = availability(video({ streamingPlaylists: playlist(file(720)) }), apple)
    assert.deepStrictEqual(found, { kind: "media", ways: [{ kind: "native", url: `${origin}/static/master.m3u8` }] })
  })

  it("plays what is there even before the state says published", () => {
    assert.strictEqual(availability(video({ state: { id: 2, label: "" }, files: [file(720)] }), modern).kind, "media")
  })

  it("tells waiting from failed", () => {
    const kind = (id: number) => availability(video({ state: { id, label: "" } }), modern).kind
    assert.deepStrictEqual(
      [1, 2, 3, 4, 6, 9].map(kind),
      Array.from({ length: 6 }, () => "waiting")
    )
    assert.deepStrictEqual([5, 7, 12].map(kind), ["failed", "failed", "failed"])
    const unsupported = availability(video({ streamingPlaylists: playlist(file(720)) }), {
      mediaSource: false,
      nativeHls: false
    })
    assert.strictEqual(unsupported.kind, "failed")
  })
})

describe("localPath", () => {
  it("turns the instance's own addresses into paths and leaves others", () => {
    assert.strictEqual(localPath(`${origin}/static/a.mp4`, origin), "/static/a.mp4")
    assert.strictEqual(
      localPath("https://kinora.example.evil/static/a.mp4", origin),
      "https://kinora.example.evil/static/a.mp4"
    )
    assert.strictEqual(localPath(`${origin}/a`, undefined), `${origin}/a`)
  })
})

describe("ways of playing", () => {
  const sound = { ...file(0, true, false), playlistUrl: `${origin}/static/0.m3u8` }
  const found = availability(
    video({ streamingPlaylists: playlist(file(720), file(360), sound), files: [file(480)] }),
    modern,
    origin
  )
  const ways = found.kind === "media" ? found.ways : []

  it("know the sound alone and all heights before anything is opened", () => {
    const [hls] = ways
    assert.strictEqual(hls?.kind, "hls")
    if (hls?.kind !== "hls") return
    assert.strictEqual(hls.audioUrl, "/static/0.m3u8")
    assert.deepStrictEqual(
      hls.qualities.map(({ height, id, label }) => [id, height, label]),
      [
        [0, 720, "720p"],
        [1, 360, "360p"]
      ]
    )
    const [opened] = withAddresses(ways, (address) => `${address}?t`)
    assert.strictEqual(opened?.kind === "hls" ? opened.audioUrl : undefined, "/static/0.m3u8?t")
  })

  it("come in the order that an address asks for, and none is lost", () => {
    const kinds = (kind: "hls" | "files" | undefined) => preferring(ways, kind).map((it) => it.kind)
    assert.deepStrictEqual(kinds(undefined), ["hls", "files"])
    assert.deepStrictEqual(kinds("files"), ["files", "hls"])
    assert.deepStrictEqual(kinds("hls"), ["hls", "files"])
  })
})
