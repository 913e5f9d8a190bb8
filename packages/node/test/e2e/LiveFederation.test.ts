import { io, type Socket } from "socket.io-client"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { follow, type Instance, send, startInstance } from "../support/Federating.ts"
import { freePort, until } from "../support/KinoraProcess.ts"
import { publishLive } from "../support/Publisher.ts"

interface SeenLive {
  readonly liveSchedules?: ReadonlyArray<{ readonly startAt: string }>
  readonly uuid: string
  readonly isLive: boolean
  readonly isLocal: boolean
  readonly state: { readonly id: number }
  readonly streamingPlaylists: ReadonlyArray<{ readonly playlistUrl: string }>
}

const published = 1
const waiting = 4

describe("a live that another instance follows", () => {
  let one: Instance
  let two: Instance
  let socket: Socket | undefined

  beforeAll(async () => {
    const env = {
      KINORA_LIVE_ENABLED: "true",
      KINORA_LIVE_TRANSCODING_ENABLED: "false",
      KINORA_LIVE_RTMP_PORT: String(await freePort())
    }
    ;[one, two] = await Promise.all([startInstance(env), startInstance()])
    await follow(two, one)
  })
  afterAll(async () => {
    socket?.disconnect()
    await Promise.all([one?.node.remove(), two?.node.remove()])
  })

  it("is announced there, played from here, and ends there", async () => {
    const me = await one.node.json<{ videoChannels: ReadonlyArray<{ id: number }> }>("/api/v1/users/me", one.auth)
    const fields = { channelId: me.videoChannels[0]!.id, name: "Seen from afar", privacy: 1, permanentLive: true }
    const { video } = await send<{ video: { id: number; uuid: string } }>(one, "POST", "/api/v1/videos/live", fields)
    const path = `/api/v1/videos/live/${video.id}`
    const { rtmpUrl, streamKey } = await one.node.json<{ rtmpUrl: string; streamKey: string }>(path, one.auth)

    const object = await one.node.json<Record<string, unknown>>(`/videos/watch/${video.uuid}`, {
      accept: "application/activity+json"
    })
    expect(object).toMatchObject({
      isLiveBroadcast: true,
      liveSaveReplay: false,
      permanentLive: true,
      latencyMode: 1,
      dvrWindow: "PT0S",
      schedules: [],
      state: waiting
    })

    const startAt = new Date(Math.floor(Date.now() / 1000) * 1000 + 86_400_000).toISOString()
    const later = new Date(Date.parse(startAt) + 3_600_000).toISOString()
    const announced = async (schedules: ReadonlyArray<string>) => {
      await send(one, "PUT", path, { schedules: schedules.map((it) => ({ startAt: it })) })
      await until(`${schedules.length} announced times on the other instance`, 60, async () => {
        const { data } = await two.node.json<{ data: ReadonlyArray<SeenLive> }>(
          "/api/v1/videos?includeScheduledLive=true&isLive=true"
        )
        const times = (data[0]?.liveSchedules ?? []).map((it) => it.startAt)
        return String(times) === String(schedules) && (data[0]?.state.id ?? waiting) === waiting ? true : undefined
      })
    }
    await announced([startAt, later])
    const page = await (await two.node.get("/")).text()
    expect(page).toContain(`<time datetime="${startAt}" data-moment>`)
    await announced([later])
    await announced([])

    const heard: Array<unknown> = []
    socket = io(`${one.node.url}/live-videos`, { reconnection: false })
    socket.on("state-change", (it) => heard.push(it))
    await new Promise<void>((done) => void socket!.once("connect", () => done()))
    socket.emit("subscribe", { videoId: video.id })
    socket.emit("subscribe", { videoId: { $gt: 0 } })

    const publisher = await publishLive(`${rtmpUrl}/${streamKey}`)
    const there = (state: number) =>
      until(`state ${state} on the other instance`, 60, async () => {
        const answer = await two.node.get(`/api/v1/videos/${video.uuid}`)
        const seen = answer.status === 200 ? ((await answer.json()) as SeenLive) : undefined
        return seen?.state.id === state ? seen : undefined
      })
    const seen = await there(published)
    expect(seen).toMatchObject({ isLive: true, isLocal: false })
    const listed = await two.node.json<{ data: ReadonlyArray<SeenLive> }>("/api/v1/videos?isLive=true")
    expect(listed.data.map(({ uuid }) => uuid)).toEqual([video.uuid])
    const master = await fetch(seen.streamingPlaylists[0]!.playlistUrl)
    expect(master.headers.get("access-control-allow-origin")).toBe("*")
    expect(await master.text()).toContain("#EXT-X-STREAM-INF")

    publisher.end()
    await there(waiting)
    await until("both changes of state", 10, async () => (heard.length >= 2 ? true : undefined))
    expect(heard).toEqual([{ state: published }, { state: waiting }])
  })
})
