import { createHash } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { freePort, KinoraProcess, until } from "../support/KinoraProcess.ts"
import { publishLive } from "../support/Publisher.ts"

interface Live {
  readonly id: number
  readonly uuid: string
  readonly address: string
}

interface Video {
  readonly id: number
  readonly name: string
  readonly isLive: boolean
  readonly duration: number
  readonly state: { readonly id: number }
  readonly privacy: { readonly id: number }
  readonly streamingPlaylists: ReadonlyArray<{
    readonly playlistUrl: string
    readonly segmentsSha256Url: string
    readonly files: ReadonlyArray<{ readonly resolution: { readonly id: number } }>
  }>
}

interface Session {
  readonly endDate: string | null
  readonly error: number | null
  readonly endingProcessed: boolean
  readonly replayVideo: { readonly uuid: string } | null
}

const published = 1
const waiting = 4
const ended = 5

describe("lives", () => {
  let node: KinoraProcess
  let auth: Record<string, string>
  let channelId: number

  beforeAll(async () => {
    const port = await freePort()
    node = await KinoraProcess.create({
      KINORA_LIVE_ENABLED: "true",
      KINORA_LIVE_RTMP_PORT: String(port),
      KINORA_LIVE_RECONNECT_GRACE: "8 seconds",
      KINORA_LIVE_TRANSCODING_RESOLUTIONS_240P: "true"
    })
    await node.start()
    auth = await node.login()
    const me = await node.json<{ videoChannels: ReadonlyArray<{ id: number }> }>("/api/v1/users/me", auth)
    channelId = me.videoChannels[0]!.id
  })
  afterAll(() => node.remove())

  const create = async (fields: Record<string, unknown>, by = auth): Promise<Live> => {
    const answer = await fetch(`${node.url}/api/v1/videos/live`, {
      method: "POST",
      headers: { ...by, "content-type": "application/json" },
      body: JSON.stringify({ channelId, name: "A live", privacy: 1, ...fields })
    })
    expect(answer.status).toBe(200)
    const { video } = (await answer.json()) as { video: { id: number; uuid: string } }
    const { rtmpUrl, streamKey } = await node.json<{ rtmpUrl: string; streamKey: string }>(
      `/api/v1/videos/live/${video.id}`,
      by
    )
    return { ...video, address: `${rtmpUrl}/${streamKey}` }
  }

  const videoOf = (id: number | string) => node.json<Video>(`/api/v1/videos/${id}`, auth)

  const untilState = (id: number, state: number, isLive = true) =>
    until(`state ${state} of video ${id}`, 60, async () => {
      const video = await videoOf(id)
      return video.state.id === state && video.isLive === isLive ? video : undefined
    })

  const sessionsOf = async (id: number) =>
    (await node.json<{ data: ReadonlyArray<Session> }>(`/api/v1/videos/live/${id}/sessions`, auth)).data

  const text = async (url: string) => {
    const answer = await node.get(new URL(url).pathname)
    expect(answer.status).toBe(200)
    return answer.text()
  }

  /** The media playlists of a video that is live, by their text, highest version first. */
  const playlists = async ({ streamingPlaylists: [playlist] }: Video) => {
    const master = await text(playlist!.playlistUrl)
    const names = master.split("\n").filter((line) => line.endsWith(".m3u8"))
    return Promise.all(names.map((name) => text(new URL(name, playlist!.playlistUrl).href)))
  }

  const segmentsIn = (playlist: string) => playlist.split("\n").filter((line) => line.endsWith(".ts"))

  it("are shown in every version while they are published, and become one video over a broken connection", async () => {
    const live = await create({ saveReplay: true, replaySettings: { privacy: 2 } })
    expect((await videoOf(live.id)).state.id).toBe(waiting)
    const first = await publishLive(live.address)
    const shown = await untilState(live.id, published)
    const list = await node.json<{ data: ReadonlyArray<{ uuid: string }> }>("/api/v1/videos?isLive=true")
    expect(list.data.map(({ uuid }) => uuid)).toEqual([live.uuid])

    const [own, small] = await until("three segments", 30, async () => {
      const found = await playlists(shown)
      return found.every((playlist) => segmentsIn(playlist).length >= 3) ? found : undefined
    })
    expect(own).toContain("#EXT-X-MEDIA-SEQUENCE:0")
    expect(own).not.toContain("#EXT-X-ENDLIST")
    expect(segmentsIn(small!)[0]).toContain("-240-")
    const { playlistUrl, segmentsSha256Url } = shown.streamingPlaylists[0]!
    const [name] = segmentsIn(own!)
    const segment = await node.get(new URL(new URL(name!, playlistUrl).href).pathname)
    expect(segment.headers.get("content-type")).toBe("video/mp2t")
    expect(segment.headers.get("cache-control")).toContain("immutable")
    const digest = createHash("sha256").update(new Uint8Array(await segment.arrayBuffer()))
    const digests = JSON.parse(await text(segmentsSha256Url)) as Record<string, string>
    expect(digests[name!]).toBe(digest.digest("hex"))

    await until("its picture", 30, async () => {
      const { previewPath } = await node.json<{ previewPath: string }>(`/api/v1/videos/${live.uuid}`)
      return previewPath !== "" && (await node.get(previewPath)).status === 200 ? true : undefined
    })

    // The settings stay while it is published, and a second publisher stays out.
    const put = { method: "PUT", headers: { ...auth, "content-type": "application/json" }, body: "{}" }
    expect((await fetch(`${node.url}/api/v1/videos/live/${live.id}`, put)).status).toBe(400)
    expect(await (await publishLive(live.address)).ended).toContain("already")

    const mark = async (title: string, by = auth) => {
      const headers = { ...by, "content-type": "application/json" }
      const path = `${node.url}/api/v1/videos/live/${live.id}/marks`
      return fetch(path, { method: "POST", headers, body: JSON.stringify({ title }) })
    }
    const marked = await mark(" Before the break ")
    expect(marked.status).toBe(200)
    expect(await marked.json()).toMatchObject({ title: "Before the break" })
    expect((await mark("")).status).toBe(400)
    expect((await mark("Nobody", {})).status).toBe(401)

    first.cut()
    await first.ended
    const again = await publishLive(live.address)
    await until("a segment after the break", 30, async () =>
      (await playlists(shown)).every((playlist) => playlist.includes("#EXT-X-DISCONTINUITY\n")) ? true : undefined
    )
    expect((await sessionsOf(live.id)).length).toBe(1)
    expect((await mark("After the break")).status).toBe(200)
    const marks = await node.json<{ total: number }>(`/api/v1/videos/live/${live.id}/marks`, auth)
    expect(marks.total).toBe(2)
    again.end()

    const replay = await untilState(live.id, published, false)
    expect(replay.privacy.id).toBe(2)
    expect(replay.duration).toBeGreaterThan(6)
    expect(replay.streamingPlaylists[0]!.files.map(({ resolution }) => resolution.id)).toEqual([360, 240])
    const { chapters } = await node.json<{ chapters: ReadonlyArray<{ timecode: number; title: string }> }>(
      `/api/v1/videos/${live.uuid}/chapters`
    )
    expect(chapters.map(({ title }) => title)).toEqual(["Before the break", "After the break"])
    // Marked with at least three segments of two seconds before, and one more after the break.
    expect(chapters[0]!.timecode).toBeGreaterThanOrEqual(5)
    expect(chapters[1]!.timecode).toBeGreaterThanOrEqual(chapters[0]!.timecode + 1)
    expect(chapters[1]!.timecode).toBeLessThan(replay.duration)
    expect((await mark("Too late")).status).toBe(409)
    const session = await node.json<Session>(`/api/v1/videos/${live.id}/live-session`, auth)
    expect(session).toMatchObject({ error: null, endingProcessed: true, replayVideo: { uuid: live.uuid } })
    expect(await (await publishLive(live.address)).ended).toContain("opens no live")
  })

  it("wait again when they are permanent, and leave a video for each session", async () => {
    const reader = { username: "reader", email: "reader@example.com", password: "password1" }
    const json = { ...auth, "content-type": "application/json" }
    const body = JSON.stringify({ ...reader, role: 2, videoQuota: -1, videoQuotaDaily: -1 })
    expect((await fetch(`${node.url}/api/v1/users`, { method: "POST", headers: json, body })).status).toBe(200)
    const readers = await node.login(reader.username, reader.password)
    const subscribed = await fetch(`${node.url}/api/v1/users/me/subscriptions`, {
      method: "POST",
      headers: { ...readers, "content-type": "application/json" },
      body: JSON.stringify({ uri: `root_channel@127.0.0.1:${node.port}` })
    })
    expect(subscribed.status).toBe(204)
    const live = await create({ permanentLive: true, saveReplay: true, name: "Every day" })
    for (const count of [1, 2]) {
      const publisher = await publishLive(live.address)
      const shown = await untilState(live.id, published)
      await until("a segment", 30, async () => (segmentsIn((await playlists(shown))[0]!).length > 1 ? true : undefined))
      await until("a notification of each session", 30, async () => {
        const of = "/api/v1/users/me/notifications?typeOneOf=21"
        const { total } = await node.json<{ total: number }>(of, readers)
        return total === count ? true : undefined
      })
      publisher.end()
      await untilState(live.id, waiting)
      const replays = await until("the replay", 60, async () => {
        const found = await sessionsOf(live.id)
        return found.length === count && found.every((it) => it.endingProcessed) ? found : undefined
      })
      const { uuid } = replays.at(-1)!.replayVideo!
      expect(uuid).not.toBe(live.uuid)
      const replay = await videoOf(uuid)
      expect(replay.state.id).toBe(published)
      expect(replay.name).toMatch(/^Every day - \d{4}-\d\d-\d\d \d\d:\d\d$/)
    }
  })

  it("end for everybody when their makers or moderators end them", async () => {
    const maker = { username: "maker", email: "maker@example.com", password: "password1" }
    const json = { ...auth, "content-type": "application/json" }
    const body = JSON.stringify({ ...maker, role: 2, videoQuota: -1, videoQuotaDaily: -1 })
    expect((await fetch(`${node.url}/api/v1/users`, { method: "POST", headers: json, body })).status).toBe(200)
    const own = await node.login(maker.username, maker.password)
    const me = await node.json<{ videoChannels: ReadonlyArray<{ id: number }> }>("/api/v1/users/me", own)
    const live = await create({ saveReplay: false, channelId: me.videoChannels[0]!.id }, own)
    const publisher = await publishLive(live.address)
    const shown = await untilState(live.id, published)
    const end = { method: "POST", headers: auth }
    expect((await fetch(`${node.url}/api/v1/videos/live/${live.id}/end`, end)).status).toBe(204)
    await publisher.ended
    await untilState(live.id, ended)
    const entries = await node.json<unknown>("/api/v1/server/audit-logs?startDate=2020-01-01T00:00:00.000Z", auth)
    expect(JSON.stringify(entries)).toContain("end-live")
    expect((await playlists(shown))[0]).toContain("#EXT-X-ENDLIST")
    expect((await fetch(`${node.url}/api/v1/videos/live/${live.id}/end`, end)).status).toBe(409)
    expect(await (await publishLive(live.address)).ended).toContain("has ended")

    const kept = await create({ saveReplay: true, channelId: me.videoChannels[0]!.id }, own)
    const other = await publishLive(kept.address)
    await untilState(kept.id, published)
    const title = { method: "POST", headers: json, body: JSON.stringify({ title: "Of a moderator" }) }
    expect((await fetch(`${node.url}/api/v1/videos/live/${kept.id}/marks`, title)).status).toBe(200)
    const later = await node.json<unknown>("/api/v1/server/audit-logs?startDate=2020-01-01T00:00:00.000Z", auth)
    expect(JSON.stringify(later)).toContain("mark-live")
    other.end()
    await untilState(kept.id, published, false)
  })

  it("go on when the node is killed, and keep what was recorded", async () => {
    const live = await create({ saveReplay: true })
    const publisher = await publishLive(live.address)
    const shown = await untilState(live.id, published)
    await until("three segments", 30, async () =>
      segmentsIn((await playlists(shown))[0]!).length >= 3 ? true : undefined
    )
    await node.stop("SIGKILL")
    await publisher.ended
    await node.start()
    // It answers before its tasks have begun: encoders try again as well.
    let again = await publishLive(live.address)
    await until("a playlist of the new process", 60, async () => {
      const answer = await node.get(new URL(shown.streamingPlaylists[0]!.playlistUrl).pathname)
      if (answer.status === 200) return true
      if (again.child.exitCode !== null) again = await publishLive(live.address)
      return undefined
    })
    again.cut()
    const replay = await untilState(live.id, published, false)
    expect(replay.duration).toBeGreaterThanOrEqual(5)
    expect((await sessionsOf(live.id).catch(() => [])).length).toBeLessThanOrEqual(1)
  })
})
