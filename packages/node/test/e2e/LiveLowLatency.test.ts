import { spawn } from "node:child_process"
import { type Browser, chromium, type Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { browserFlags } from "../support/Browser.ts"
import { freePort, KinoraProcess, until } from "../support/KinoraProcess.ts"
import { ffmpeg, publishLive } from "../support/Publisher.ts"

interface Video {
  readonly duration: number
  readonly isLive: boolean
  readonly state: { readonly id: number }
  readonly streamingPlaylists: ReadonlyArray<{
    readonly playlistUrl: string
    readonly files: ReadonlyArray<{ readonly resolution: { readonly id: number } }>
  }>
}

const published = 1
const small = 3

/** What the tags of a playlist name, in their order. */
const named = (playlist: string, tag: string): ReadonlyArray<string> =>
  [...playlist.matchAll(new RegExp(`#EXT-X-${tag}:[^\n]*URI="([^"]*)"`, "g"))].map(([, uri]) => uri!)

const segmentsIn = (playlist: string) => playlist.split("\n").filter((line) => /\d{6,}\.(?:m4s|ts)(?:\?|$)/.test(line))

/** Reads a live for some seconds. Gives what ffmpeg complains of. */
const readByFfmpeg = async (url: string): Promise<{ readonly code: number | null; readonly said: string }> => {
  const args = ["-v", "error", "-i", url, "-t", "3", "-map", "0", "-f", "null", "-"]
  const child = spawn(await ffmpeg(), args, { stdio: ["ignore", "ignore", "pipe"] })
  const timer = setTimeout(() => child.kill("SIGKILL"), 30_000)
  let said = ""
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()))
  const code = await new Promise<number | null>((done) => child.once("close", done))
  clearTimeout(timer)
  return { code, said }
}

/** A node with lives, and a user who makes them. */
class LiveNode {
  readonly node: KinoraProcess
  auth: Record<string, string> = {}
  #channelId = 0

  private constructor(node: KinoraProcess) {
    this.node = node
  }

  static async start(environment: Record<string, string>): Promise<LiveNode> {
    const node = await KinoraProcess.create({
      KINORA_LIVE_ENABLED: "true",
      KINORA_LIVE_RTMP_PORT: String(await freePort()),
      KINORA_LIVE_RECONNECT_GRACE: "8 seconds",
      ...environment
    })
    const made = new LiveNode(node)
    await node.start()
    made.auth = await node.login()
    const me = await node.json<{ videoChannels: ReadonlyArray<{ id: number }> }>("/api/v1/users/me", made.auth)
    made.#channelId = me.videoChannels[0]!.id
    return made
  }

  async create(fields: Record<string, unknown>) {
    const answer = await fetch(`${this.node.url}/api/v1/videos/live`, {
      method: "POST",
      headers: { ...this.auth, "content-type": "application/json" },
      body: JSON.stringify({ channelId: this.#channelId, name: "A live", privacy: 1, latencyMode: small, ...fields })
    })
    expect(answer.status).toBe(200)
    const { video } = (await answer.json()) as { video: { id: number; uuid: string } }
    const path = `/api/v1/videos/live/${video.id}`
    const { rtmpUrl, streamKey } = await this.node.json<{ rtmpUrl: string; streamKey: string }>(path, this.auth)
    return { ...video, address: `${rtmpUrl}/${streamKey}` }
  }

  untilShown(id: number, isLive = true): Promise<Video> {
    return until(`video ${id}, live: ${isLive}`, 60, async () => {
      const video = await this.node.json<Video>(`/api/v1/videos/${id}`, this.auth)
      return video.state.id === published && video.isLive === isLive ? video : undefined
    })
  }

  /** The address of a file beside another one, on this node. */
  at(name: string, { streamingPlaylists: [playlist] }: Video): string {
    const { pathname, search } = new URL(name, playlist!.playlistUrl)
    return `${this.node.url}${pathname}${search}`
  }

  async text(url: string): Promise<string> {
    const answer = await fetch(url)
    expect(answer.status).toBe(200)
    return answer.text()
  }

  /** Addresses of the media playlists, highest version first. */
  async playlists(video: Video): Promise<ReadonlyArray<string>> {
    const master = await this.text(this.at(video.streamingPlaylists[0]!.playlistUrl, video))
    return master
      .split("\n")
      .filter((line) => line.endsWith(".m3u8"))
      .map((name) => this.at(name, video))
  }
}

/** Waits until the picture has moved on by some seconds. */
const plays = async (page: Page, seconds = 2) => {
  const at = () => page.evaluate<number>("document.querySelector('video')?.currentTime ?? 0")
  const from = await until("a picture", 60, async () => {
    const now = await at()
    return now > 0 ? now : undefined
  })
  await until("playing", 60, async () => ((await at()) > from + seconds ? true : undefined))
}

describe("lives in fragments and parts", () => {
  let low: LiveNode
  let plain: LiveNode
  let browser: Browser

  beforeAll(async () => {
    low = await LiveNode.start({
      KINORA_LIVE_HLS_LOW_LATENCY: "true",
      KINORA_LIVE_TRANSCODING_RESOLUTIONS_240P: "true"
    })
    plain = await LiveNode.start({ KINORA_LIVE_TRANSCODING_ENABLED: "false" })
    browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: browserFlags })
  })
  afterAll(async () => {
    await browser?.close()
    await low.node.remove()
    await plain.node.remove()
  })

  const watch = async (of: LiveNode, uuid: string) => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    const answers: Array<string> = []
    page.on("response", (answer) => void answers.push(`${answer.status()} ${new URL(answer.url()).pathname}`))
    await page.goto(`${of.node.url}/videos/embed/${uuid}?autoplay=1&muted=1`)
    return { page, answers }
  }

  it("are played part by part, over a broken connection, and become one video", async () => {
    const live = await low.create({ saveReplay: true, replaySettings: { privacy: 1 } })
    const first = await publishLive(live.address)
    const shown = await low.untilShown(live.id)
    const master = await low.text(low.at(shown.streamingPlaylists[0]!.playlistUrl, shown))
    expect(master.match(/CODECS="avc1\.[0-9a-f]{6},mp4a\.40\.2"/g)).toHaveLength(2)
    const [own, lower] = (await low.playlists(shown)) as [string, string]

    const text = await low.text(own)
    expect(text).toContain("CAN-BLOCK-RELOAD=YES")
    expect(named(text, "RENDITION-REPORT")).toEqual([lower.split("/").at(-1)])
    const [init] = named(text, "MAP")
    const section = await fetch(low.at(init!, shown))
    expect(section.headers.get("content-type")).toBe("video/mp4")
    expect(section.headers.get("cache-control")).toContain("immutable")

    // Asked for what comes next, the playlist has it when it answers.
    const sequence = Number(/MEDIA-SEQUENCE:(\d+)/.exec(text)![1])
    const next = sequence + segmentsIn(text).length
    const waited = await low.text(`${own}?_HLS_msn=${next}`)
    expect(sequence + segmentsIn(waited).length).toBeLessThanOrEqual(next + 1)
    expect(Number(/MEDIA-SEQUENCE:(\d+)/.exec(waited)![1]) + segmentsIn(waited).length).toBeGreaterThan(next)
    expect((await fetch(`${own}?_HLS_msn=${next + 100}`)).status).toBe(400)
    expect((await fetch(`${own}?_HLS_part=0`)).status).toBe(400)

    // The part that is announced is there as soon as it exists.
    const [hint] = named(waited, "PRELOAD-HINT")
    const held = await fetch(low.at(hint!, shown))
    expect(held.status).toBe(200)
    const bytes = new Uint8Array(await held.arrayBuffer())
    expect(Buffer.from(bytes.subarray(4, 8)).toString()).toBe("moof")
    // The bytes are the same when they are those of the segment.
    await until("the end of its segment", 10, async () => {
      const playlist = await low.text(own)
      const lines = playlist.split("\n")
      const at = lines.findIndex((line) => line.includes(hint!) && line.startsWith("#EXT-X-PART:"))
      return at >= 0 && lines.slice(at).some((line) => line.startsWith("#EXTINF")) ? true : undefined
    })
    expect(new Uint8Array(await (await fetch(low.at(hint!, shown))).arrayBuffer())).toEqual(bytes)
    expect((await fetch(low.at(hint!.replace(/\d{6}/, "900000"), shown))).status).toBe(404)

    expect((await readByFfmpeg(low.at(shown.streamingPlaylists[0]!.playlistUrl, shown))).code).toBe(0)

    const { answers, page } = await watch(low, live.uuid)
    await plays(page)
    expect(answers.filter((it) => it.includes("-part-")).length).toBeGreaterThan(3)
    expect(answers.filter((it) => it.startsWith("40") && it.includes("/hls/"))).toEqual([])

    first.cut()
    await first.ended
    const again = await publishLive(live.address)
    const after = await until("a segment after the break", 30, async () => {
      const texts = await Promise.all([own, lower].map((url) => low.text(url)))
      return texts.every((it) => /#EXT-X-DISCONTINUITY\n#EXT-X-MAP[^#]*#EXT-X-PROGRAM[^]*EXTINF/.test(it))
        ? texts
        : undefined
    })
    expect(named(after[0]!, "MAP").length).toBe(2)
    await plays(page)
    await page.close()
    again.end()

    const replay = await low.untilShown(live.id, false)
    expect(replay.duration).toBeGreaterThan(6)
    expect(replay.streamingPlaylists[0]!.files.map(({ resolution }) => resolution.id)).toEqual([360, 240])
    const made = await readByFfmpeg(low.at(replay.streamingPlaylists[0]!.playlistUrl, replay))
    expect(made).toEqual({ code: 0, said: "" })
  })

  it("show no part of a private live without its token", async () => {
    const live = await low.create({ privacy: 3, saveReplay: false })
    const publisher = await publishLive(live.address)
    const shown = await low.untilShown(live.id)
    const path = `${low.node.url}/api/v1/videos/${live.uuid}/token`
    const { files } = (await (await fetch(path, { method: "POST", headers: low.auth })).json()) as {
      files: { token: string }
    }
    const query = `videoFileToken=${files.token}`
    const master = low.at(shown.streamingPlaylists[0]!.playlistUrl, shown)
    expect(master).toContain("/private/")
    expect((await fetch(master)).status).toBe(403)
    const text = await low.text(`${master}?${query}&reinjectVideoFileToken=true`)
    const playlist = low.at(
      text.split("\n").find((line) => line.includes(".m3u8?"))!,
      shown
    )
    const media = await until("parts", 20, async () => {
      const found = await low.text(playlist)
      return named(found, "PART").length > 0 ? found : undefined
    })
    for (const tag of ["PART", "MAP", "PRELOAD-HINT"]) {
      const [uri] = named(media, tag).slice(-1)
      expect(uri).toContain(query)
      const url = low.at(uri!, shown)
      const answer = await fetch(url)
      expect(answer.status).toBe(200)
      expect(answer.headers.get("cache-control")).toBe("private, no-store")
      expect((await fetch(url.split("?")[0]!)).status).toBe(403)
      // Nor by the address that public ones have.
      expect((await fetch(url.replace("/private/", "/").split("?")[0]!)).status).toBe(404)
    }
    publisher.end()
    await publisher.ended
  })

  it("keep every closed segment when the node is killed", async () => {
    const live = await low.create({ saveReplay: true })
    const publisher = await publishLive(live.address)
    const shown = await low.untilShown(live.id)
    const [own] = await low.playlists(shown)
    const count = await until("five segments", 30, async () => {
      const { length } = segmentsIn(await low.text(own!))
      return length >= 5 ? length : undefined
    })
    const { page } = await watch(low, live.uuid)
    await plays(page)
    const before = await page.evaluate<number>("document.querySelector('video').currentTime")
    await low.node.stop("SIGKILL")
    await publisher.ended
    await low.node.start()
    // It answers before its tasks have begun: encoders try again as well.
    let again = await publishLive(live.address)
    await until("a playlist of the new process", 60, async () => {
      const answer = await fetch(own!)
      if (answer.status === 200) return true
      if (again.child.exitCode !== null) again = await publishLive(live.address)
      return undefined
    })
    // The viewer goes on with what the new process counts from the beginning.
    await until("the picture of the new process", 60, async () => {
      const now = await page.evaluate<number>("document.querySelector('video')?.currentTime ?? 0")
      return now > 0 && now < before ? true : undefined
    })
    await plays(page)
    await page.close()
    again.cut()
    const replay = await low.untilShown(live.id, false)
    expect(replay.duration).toBeGreaterThanOrEqual(count)
    expect(replay.streamingPlaylists[0]!.files.map(({ resolution }) => resolution.id)).toEqual([360, 240])
  })

  it("pass AV1 through in fragments where nothing is transcoded", async () => {
    const live = await plain.create({ saveReplay: true })
    const av1 = ["-c:v", "libsvtav1", "-preset", "12", "-g", "25", "-pix_fmt", "yuv420p"]
    const publisher = await publishLive(live.address, av1)
    const shown = await plain.untilShown(live.id)
    const master = plain.at(shown.streamingPlaylists[0]!.playlistUrl, shown)
    expect(await plain.text(master)).toMatch(/CODECS="av01\.0\.[0-9A-Z.]+,mp4a\.40\.2"/)
    const [own] = await plain.playlists(shown)
    const media = await plain.text(own!)
    expect(segmentsIn(media)[0]).toMatch(/\.m4s$/)
    expect(media).not.toContain("EXT-X-PART")
    const { page } = await watch(plain, live.uuid)
    await plays(page)
    await page.close()
    publisher.end()
    const replay = await plain.untilShown(live.id, false)
    expect(replay.duration).toBeGreaterThan(3)
    // H.264 stays in transport streams there.
    const other = await plain.create({ saveReplay: false })
    const usual = await publishLive(other.address)
    const [playlist] = await plain.playlists(await plain.untilShown(other.id))
    expect(segmentsIn(await plain.text(playlist!))[0]).toMatch(/\.ts$/)
    usual.end()
    await usual.ended
  })
})
