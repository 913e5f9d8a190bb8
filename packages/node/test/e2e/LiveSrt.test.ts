import { Effect, Exit, Scope } from "effect"
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { lossyRelay } from "../../../ingest/test/support/LossyRelay.ts"
import { freePort, KinoraProcess, until } from "../support/KinoraProcess.ts"
import { ffmpeg, publishLive } from "../support/Publisher.ts"

interface Live {
  readonly id: number
  readonly uuid: string
  readonly srtUrl: string
}

interface Video {
  readonly id: number
  readonly isLive: boolean
  readonly duration: number
  readonly state: { readonly id: number }
  readonly streamingPlaylists: ReadonlyArray<{ readonly playlistUrl: string }>
}

const published = 1
const waiting = 4
const ended = 5
const passphrase = "a-secret-of-the-tests"

describe("lives by SRT", () => {
  const scope = Scope.makeUnsafe()
  const folder = mkdtempSync(join(tmpdir(), "kinora-srt-e2e-"))
  let node: KinoraProcess
  let port: number
  let auth: Record<string, string>
  let channelId: number

  beforeAll(async () => {
    port = await freePort()
    node = await KinoraProcess.create({
      KINORA_LIVE_ENABLED: "true",
      KINORA_LIVE_RTMP_ENABLED: "false",
      KINORA_LIVE_SRT_ENABLED: "true",
      KINORA_LIVE_SRT_PORT: String(port),
      KINORA_LIVE_RECONNECT_GRACE: "8 seconds",
      KINORA_LIVE_MAX_USER_LIVES: "20"
    })
    await node.start()
    auth = await node.login()
    const me = await node.json<{ videoChannels: ReadonlyArray<{ id: number }> }>("/api/v1/users/me", auth)
    channelId = me.videoChannels[0]!.id
  })
  afterAll(async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await node.remove()
    rmSync(folder, { recursive: true })
  })

  const create = async (fields: Record<string, unknown> = {}): Promise<Live> => {
    const answer = await fetch(`${node.url}/api/v1/videos/live`, {
      method: "POST",
      headers: { ...auth, "content-type": "application/json" },
      body: JSON.stringify({ channelId, name: "A live", privacy: 1, ...fields })
    })
    expect(answer.status).toBe(200)
    const { video } = (await answer.json()) as { video: { id: number; uuid: string } }
    return { ...video, ...(await node.json<{ srtUrl: string }>(`/api/v1/videos/live/${video.id}`, auth)) }
  }

  const videoOf = (id: number) => node.json<Video>(`/api/v1/videos/${id}`, auth)

  const untilState = (id: number, state: number, isLive = true) =>
    until(`state ${state} of video ${id}`, 60, async () => {
      const video = await videoOf(id)
      return video.state.id === state && video.isLive === isLive ? video : undefined
    })

  const text = async (url: string) => (await node.get(new URL(url).pathname)).text()

  /** The addresses of the segments of the first version, once there are so many. */
  const segments = (video: Video, count: number) =>
    until(`${count} segments`, 30, async () => {
      const { playlistUrl } = video.streamingPlaylists[0]!
      const name = (await text(playlistUrl)).split("\n").find((line) => line.endsWith(".m3u8"))!
      const playlist = new URL(name, playlistUrl).href
      const names = (await text(playlist)).split("\n").filter((line) => line.endsWith(".ts"))
      return names.length >= count ? names.map((segment) => new URL(segment, playlist).href) : undefined
    })

  /** What ffmpeg finds wrong in segments, and their streams. */
  const decoded = async (urls: ReadonlyArray<string>) => {
    const bytes = await Promise.all(
      urls.map(async (url) => new Uint8Array(await (await node.get(new URL(url).pathname)).arrayBuffer()))
    )
    const args = ["-v", "error", "-f", "mpegts", "-i", "pipe:0", "-f", "null", "-"]
    const errors = spawnSync(await ffmpeg(), args, { input: Buffer.concat(bytes) }).stderr.toString()
    const looked = spawnSync(await ffmpeg(), ["-hide_banner", "-f", "mpegts", "-i", "pipe:0"], {
      input: Buffer.concat(bytes)
    })
    return { errors, streams: looked.stderr.toString() }
  }

  it("are whole over a network that loses packets, survive a broken connection, and become a replay", async () => {
    const live = await create({ saveReplay: true, replaySettings: { privacy: 1 } })
    expect(live.srtUrl).toBe(`srt://127.0.0.1:${port}?streamid=${new URL(live.srtUrl).searchParams.get("streamid")}`)
    const relay = await Effect.runPromise(Scope.provide(lossyRelay(port, { lost: 2, late: 2 }), scope))
    const address = live.srtUrl.replace(`:${port}?`, `:${relay.port}?`)
    const began = performance.now()
    const first = await publishLive(address)
    const shown = await untilState(live.id, published)
    expect(performance.now() - began).toBeLessThan(15_000)
    const whole = await decoded(await segments(shown, 4))
    expect(whole.errors).toBe("")
    expect(whole.streams).toMatch(/Video: h264[\s\S]*Audio: aac/)
    expect(relay.counts.lost).toBeGreaterThan(10)
    expect(await (await publishLive(live.srtUrl)).ended).toContain("ERROR:PREDEFINED:409")

    first.cut()
    await first.ended
    // It is noticed when nothing has come for five seconds: encoders try again as well.
    const again = await until("the publisher to be let in again", 20, async () => {
      const publisher = await publishLive(address)
      const said = await Promise.race([publisher.ended, segments(shown, 5).then(() => undefined)])
      return said === undefined ? publisher : undefined
    })
    again.end()
    const replay = await untilState(live.id, published, false)
    expect(replay.duration).toBeGreaterThan(8)
  })

  it("are encoded where browsers do not play what is sent: HEVC, and MP2", async () => {
    const file = join(folder, "broadcast.ts")
    const inputs = ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", "-f", "lavfi", "-i", "sine=frequency=440"]
    const video = ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none:keyint=25"]
    execFileSync(await ffmpeg(), ["-v", "error", ...inputs, "-t", "40", ...video, "-c:a", "mp2", file])
    const live = await create()
    const publisher = await publishLive(live.srtUrl, [], file)
    const { errors, streams } = await decoded(await segments(await untilState(live.id, published), 2))
    expect(errors).toBe("")
    expect(streams).toMatch(/Video: h264[\s\S]*Audio: aac/)
    publisher.end()
    await untilState(live.id, ended)
  })

  it("end where what is sent cannot be passed on", async () => {
    const file = join(folder, "old.ts")
    const inputs = ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", "-t", "40", "-c:v", "mpeg2video"]
    execFileSync(await ffmpeg(), ["-v", "error", ...inputs, file])
    const live = await create()
    const publisher = await publishLive(live.srtUrl, [], file)
    expect(await publisher.ended).toContain("Input/output error")
    // Its publisher may come back with something else, for a while; then it waits as before.
    const path = `/api/v1/videos/live/${live.id}/sessions`
    await until("the end of the session", 30, async () => {
      const { data } = await node.json<{ data: ReadonlyArray<{ endDate: string | null }> }>(path, auth)
      return data[0]?.endDate ?? undefined
    })
    expect((await videoOf(live.id)).state.id).toBe(waiting)
  })

  it("refuse keys that open nothing, and then all keys of that address for a while", async () => {
    const said = async (key: string) =>
      /\bERROR:\S+/.exec(await (await publishLive(`srt://127.0.0.1:${port}?streamid=${key}`)).ended)?.[0]
    expect(await said("nothing")).toBe("ERROR:PREDEFINED:401")
    expect(await said(encodeURIComponent("#!::m=request,r=nothing"))).toBe("ERROR:PREDEFINED:405")
    const refused = await until("the door to close", 60, async () => {
      const reason = await said("nothing")
      return reason === "ERROR:PREDEFINED:401" || reason === "ERROR:BACKLOG" ? undefined : reason
    })
    expect(refused).toBe("ERROR:PREDEFINED:402")
  })

  it("are encrypted where a passphrase is set", async () => {
    // The new process knows nothing of wrong keys.
    await node.stop()
    await node.start({ KINORA_LIVE_SRT_PASSPHRASE: passphrase })
    const live = await create()
    const open = live.srtUrl.replace(`&passphrase=${passphrase}`, "")
    expect(open).not.toBe(live.srtUrl)
    const publisher = await until("an encrypted publisher to be let in", 60, async () => {
      const tried = await publishLive(live.srtUrl)
      const said = await Promise.race([tried.ended, untilState(live.id, published).then(() => undefined)])
      return said === undefined ? tried : undefined
    })
    expect((await decoded(await segments(await videoOf(live.id), 2))).errors).toBe("")
    publisher.end()
    await untilState(live.id, ended)
    const refused = await create()
    const plain = refused.srtUrl.replace(`&passphrase=${passphrase}`, "")
    expect(await (await publishLive(plain)).ended).toContain("ERROR:UNSECURE")
    expect(await (await publishLive(`${plain}&passphrase=another-secret`)).ended).toContain("ERROR:BADSECRET")
  })
})
