import { afterAll, beforeAll, describe, expect, it, onTestFailed } from "vitest"
import { freePort, KinoraProcess, until } from "../support/KinoraProcess.ts"
import { publishLive } from "../support/Publisher.ts"
import { RunnerProcess } from "../support/RunnerProcess.ts"
import { StockLiveRunner } from "../support/StockLiveRunner.ts"

interface Live {
  readonly id: number
  readonly uuid: string
  readonly address: string
}

interface Video {
  readonly isLive: boolean
  readonly duration: number
  readonly state: { readonly id: number }
  readonly streamingPlaylists: ReadonlyArray<{
    readonly playlistUrl: string
    readonly files: ReadonlyArray<{ readonly resolution: { readonly id: number } }>
  }>
}

interface Job {
  readonly uuid: string
  readonly state: { readonly id: number }
  readonly error: string | null
  readonly runner: { readonly name: string } | null
}

const published = 1
const completed = 3
const errored = 4

/** A packet of a transport stream. */
const chunk = new Uint8Array(188).fill(0x47, 0, 1)

describe("lives that runners transcode", { timeout: 240_000 }, () => {
  let node: KinoraProcess
  let auth: Record<string, string>
  let channelId: number
  let stock: StockLiveRunner
  const settings = 'concurrency = 1\ngrace_seconds = 0\npoll_seconds = 5\n[media]\nthreads = 1\npreset = "ultrafast"'
  const one = new RunnerProcess("one", settings)
  const two = new RunnerProcess("two", settings)

  beforeAll(async () => {
    node = await KinoraProcess.create({
      KINORA_LIVE_ENABLED: "true",
      KINORA_LIVE_RTMP_PORT: String(await freePort()),
      KINORA_LIVE_RECONNECT_GRACE: "5 seconds",
      KINORA_LIVE_TRANSCODING_REMOTE_RUNNERS_ENABLED: "true",
      KINORA_LIVE_TRANSCODING_RESOLUTIONS_240P: "true",
      KINORA_REMOTE_RUNNERS_STALLED_JOBS_LIVE: "12 seconds"
    })
    await node.start()
    auth = await node.login()
    const me = await node.json<{ videoChannels: ReadonlyArray<{ id: number }> }>("/api/v1/users/me", auth)
    channelId = me.videoChannels[0]!.id
  })
  afterAll(async () => {
    stock.remove()
    await one.remove()
    await two.remove()
    await node.remove()
  })

  const show = () =>
    onTestFailed(() => void process.stderr.write(`${one.output}\n${two.output}\n${node.output.slice(-8000)}`))

  const create = async (fields: Record<string, unknown>): Promise<Live> => {
    const answer = await fetch(`${node.url}/api/v1/videos/live`, {
      method: "POST",
      headers: { ...auth, "content-type": "application/json" },
      body: JSON.stringify({ channelId, name: "A live", privacy: 1, ...fields })
    })
    expect(answer.status).toBe(200)
    const { video } = (await answer.json()) as { video: { id: number; uuid: string } }
    const { rtmpUrl, streamKey } = await node.json<{ rtmpUrl: string; streamKey: string }>(
      `/api/v1/videos/live/${video.id}`,
      auth
    )
    return { ...video, address: `${rtmpUrl}/${streamKey}` }
  }

  const untilState = (id: number, isLive: boolean) =>
    until(`video ${id} to be ${isLive ? "live" : "a replay"}`, 90, async () => {
      const video = await node.json<Video>(`/api/v1/videos/${id}`, auth)
      return video.state.id === published && video.isLive === isLive ? video : undefined
    })

  const jobs = async (): Promise<ReadonlyArray<Job>> => {
    const path = "/api/v1/runners/jobs?sort=-createdAt&typeOneOf=live-rtmp-hls-transcoding"
    return (await node.json<{ data: ReadonlyArray<Job> }>(path, auth)).data
  }

  /** The media playlists, by their text, highest version first. */
  const playlists = async ({ streamingPlaylists: [playlist] }: Video) => {
    const read = async (name: string) => (await node.get(new URL(name, playlist!.playlistUrl).pathname)).text()
    const names = (await read("")).split("\n").filter((line) => line.endsWith(".m3u8"))
    return Promise.all(names.map((name) => read(name)))
  }

  const segmentsIn = (playlist: string) => playlist.split("\n").filter((line) => line.endsWith(".ts"))

  const untilSegments = (video: Video, count: number) =>
    until(`${count} segments of each version`, 60, async () => {
      const found = await playlists(video)
      return found.length === 2 && found.every((playlist) => segmentsIn(playlist).length >= count) ? found : undefined
    })

  const resolutions = (video: Video) => video.streamingPlaylists[0]!.files.map(({ resolution }) => resolution.id)

  it("are taken from runners of other makes, and become replays with every version", async () => {
    show()
    stock = await StockLiveRunner.register(node, auth)
    const live = await create({ saveReplay: true })
    const publisher = await publishLive(live.address)
    await stock.accept()
    const { input, output } = stock.payload
    expect(output.toTranscode).toEqual([
      { resolution: 360, fps: 25 },
      { resolution: 240, fps: 25 }
    ])
    // The key opens this stream for readers alone.
    expect(await (await publishLive(input.rtmpUrl)).ended).toContain("opens no live")
    const working = stock.work()
    const shown = await untilState(live.id, true)
    const [own] = await untilSegments(shown, 3)
    expect(segmentsIn(own!)[0]).toMatch(/-1-360-000000\.ts$/)

    // What is sent twice, or under a name that is none, changes nothing.
    expect((await stock.addChunk("0-000000.ts", 0, chunk)).status).toBe(204)
    for (const name of ["../../x.ts", "7-000001.ts", "x.ts", "0-000001.mp4"]) {
      expect((await stock.addChunk(name, 0, chunk)).status, name).toBe(400)
    }
    expect((await stock.addChunk("0-000999.ts", 0, new Uint8Array(188))).status).toBe(400)

    publisher.end()
    await working
    const replay = await untilState(live.id, false)
    expect(resolutions(replay)).toEqual([360, 240])
    expect(replay.duration).toBeGreaterThanOrEqual(5)
    const [job] = await jobs()
    expect(job).toMatchObject({ state: { id: completed }, runner: { name: "stock" } })
  })

  const errorOf = async (live: Live) => {
    const session = await until("the end of the session", 30, async () => {
      const path = `/api/v1/videos/live/${live.id}/sessions`
      const { data } = await node.json<{ data: ReadonlyArray<{ endDate: string | null; error: number | null }> }>(
        path,
        auth
      )
      return data[0]?.endDate === null ? undefined : data[0]
    })
    return session?.error
  }

  it("end with the typed error when an administrator cancels their jobs, and late segments are refused", async () => {
    show()
    const live = await create({ saveReplay: false, permanentLive: true })
    const publisher = await publishLive(live.address)
    await stock.accept()
    const path = `${node.url}/api/v1/runners/jobs/${stock.uuid}`
    expect((await fetch(`${path}/cancel`, { method: "POST", headers: auth })).status).toBe(204)
    await publisher.ended
    const late = await stock.addChunk("0-000000.ts", 0, chunk)
    expect([late.status, ((await late.json()) as { code: string }).code]).toEqual([
      400,
      "runner_job_not_in_processing_state"
    ])
    expect(await errorOf(live)).toBe(7)
    // Nobody can begin it again: the live is over.
    expect((await fetch(`${path}/retry`, { method: "POST", headers: auth })).status).toBe(409)
  })

  it("end with the typed error when runners fail at them again and again", async () => {
    show()
    const live = await create({ saveReplay: false, permanentLive: true })
    const publisher = await publishLive(live.address)
    for (let n = 0; n < 5; n++) {
      await stock.accept()
      await stock.fail("no such encoder")
    }
    await publisher.ended
    expect(await errorOf(live)).toBe(6)
  })

  it("are transcoded by the node when no runner takes them", async () => {
    show()
    const live = await create({ saveReplay: false })
    const publisher = await publishLive(live.address)
    const shown = await untilState(live.id, true)
    await untilSegments(shown, 2)
    expect(node.output).toContain("no runner took its job")
    publisher.end()
    await publisher.ended
  })

  it("RUN-04: go on with another runner when one is killed, with a discontinuity", async () => {
    show()
    for (const runner of [one, two]) {
      const registered = await runner.register(node, auth)
      expect(registered.code, registered.err).toBe(0)
    }
    await one.start()
    const live = await create({ saveReplay: true })
    const publisher = await publishLive(live.address)
    const shown = await untilState(live.id, true)
    await untilSegments(shown, 3)
    expect((await jobs())[0]).toMatchObject({ state: { id: 2 }, runner: { name: "one" } })
    await two.start()
    await one.stop("SIGKILL")
    const after = await until("segments after a discontinuity", 60, async () => {
      const found = await playlists(shown)
      const parts = found.map((playlist) => playlist.split("#EXT-X-DISCONTINUITY\n"))
      return parts.every((part) => part.length === 2 && segmentsIn(part[1]!).length >= 2) ? found : undefined
    })
    expect(after).toHaveLength(2)
    const [later, earlier] = await jobs()
    expect(later).toMatchObject({ state: { id: 2 }, runner: { name: "two" } })
    expect(earlier).toMatchObject({ state: { id: errored }, runner: { name: "one" } })
    publisher.end()
    const replay = await untilState(live.id, false)
    expect(resolutions(replay)).toEqual([360, 240])
    await until("the job to be done", 30, async () => ((await jobs())[0]?.state.id === completed ? true : undefined))
    await until("its folder to be gone", 30, async () => (two.work().length === 0 ? true : undefined))
  })
})
