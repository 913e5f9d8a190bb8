import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { freePort, KinoraProcess, until } from "../support/KinoraProcess.ts"
import { type LivePublisher, publishLive } from "../support/Publisher.ts"

interface Session {
  readonly endDate: string | null
  readonly error: number | null
  readonly endingProcessed: boolean
}

interface Video {
  readonly isLive: boolean
  readonly state: { readonly id: number }
}

const durationExceeded = 2
const quotaExceeded = 3
const blacklisted = 5
const invalidInput = 9

describe("what a live may not do", () => {
  let node: KinoraProcess
  let auth: Record<string, string>
  let maker: Record<string, string>
  let makerId: number
  let channelId: number

  beforeAll(async () => {
    node = await KinoraProcess.create({
      KINORA_LIVE_ENABLED: "true",
      KINORA_LIVE_RTMP_PORT: String(await freePort()),
      KINORA_LIVE_TRANSCODING_ENABLED: "false",
      KINORA_LIVE_MAX_USER_LIVES: "-1",
      KINORA_LIVE_MAX_DURATION: "12000",
      KINORA_LIVE_RECONNECT_GRACE: "1 second"
    })
    await node.start()
    auth = await node.login()
    const user = { username: "maker", email: "maker@example.com", password: "password1", role: 2 }
    const { user: made } = await send<{ user: { id: number } }>("POST", "/api/v1/users", {
      ...user,
      videoQuota: -1,
      videoQuotaDaily: -1
    })
    makerId = made.id
    maker = await node.login(user.username, user.password)
    const me = await node.json<{ videoChannels: ReadonlyArray<{ id: number }> }>("/api/v1/users/me", maker)
    channelId = me.videoChannels[0]!.id
  })
  afterAll(() => node.remove())

  const send = async <A>(method: string, path: string, body?: unknown, by = auth): Promise<A> => {
    const answer = await fetch(node.url + path, {
      method,
      headers: { ...by, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return (text === "" ? undefined : JSON.parse(text)) as A
  }

  const create = async (fields: Record<string, unknown> = {}) => {
    const body = { channelId, name: "A live", privacy: 1, permanentLive: true, ...fields }
    const { video } = await send<{ video: { id: number; uuid: string } }>("POST", "/api/v1/videos/live", body, maker)
    const live = await node.json<{ rtmpUrl: string; streamKey: string }>(`/api/v1/videos/live/${video.id}`, maker)
    return { ...video, address: `${live.rtmpUrl}/${live.streamKey}`, door: live.rtmpUrl }
  }

  const untilShown = (id: number) =>
    until("the live to be shown", 60, async () => {
      const { state } = await node.json<Video>(`/api/v1/videos/${id}`, auth)
      return state.id === 1 ? true : undefined
    })

  const endOf = (id: number) =>
    until("the end of the session", 60, async () => {
      const { data } = await node.json<{ data: ReadonlyArray<Session> }>(`/api/v1/videos/live/${id}/sessions`, auth)
      return data.at(-1)?.endDate === null ? undefined : data.at(-1)
    })

  /** Publishes until it can be seen. */
  const shown = async (id: number, address: string): Promise<LivePublisher> => {
    const publisher = await publishLive(address)
    await untilShown(id)
    return publisher
  }

  it("last longer than the instance allows", async () => {
    const { address, id } = await create({ saveReplay: true })
    const publisher = await shown(id, address)
    expect((await endOf(id))?.error).toBe(durationExceeded)
    await publisher.ended
    // What was recorded is kept all the same.
    await until("the replay", 60, async () => {
      const { data } = await node.json<{ data: ReadonlyArray<Session> }>(`/api/v1/videos/live/${id}/sessions`, auth)
      return data[0]?.endingProcessed ? true : undefined
    })
  })

  it("record more than fits into the quota", async () => {
    const { address, id } = await create({ saveReplay: true })
    await send("PUT", `/api/v1/users/${makerId}`, { videoQuota: 10 })
    const publisher = await shown(id, address)
    expect((await endOf(id))?.error).toBe(quotaExceeded)
    await publisher.ended
    await send("PUT", `/api/v1/users/${makerId}`, { videoQuota: -1 })
  })

  it("go on when moderators block them, or when they are deleted", async () => {
    const blocked = await create()
    const first = await shown(blocked.id, blocked.address)
    await send("POST", `/api/v1/videos/${blocked.id}/blacklist`, { reason: "no" })
    expect((await endOf(blocked.id))?.error).toBe(blacklisted)
    await first.ended
    expect(await (await publishLive(blocked.address)).ended).toContain("blocked")

    const deleted = await create({ saveReplay: true })
    const second = await shown(deleted.id, deleted.address)
    await send("DELETE", `/api/v1/videos/${deleted.id}`)
    await second.ended
    expect(await (await publishLive(deleted.address)).ended).toContain("opens no live")
  })

  it("send what nobody can play", async () => {
    const { address, id } = await create()
    const publisher = await publishLive(address, ["-c:v", "flv1", "-an"])
    await publisher.ended
    const end = await endOf(id)
    expect(end?.error).toBe(invalidInput)
    // Nobody saw anything: it waits.
    expect((await node.json<Video>(`/api/v1/videos/${id}`, auth)).state.id).toBe(4)
  })

  it("be published by a blocked user, or by who tries keys", async () => {
    const { address, door, id } = await create()
    await send("POST", `/api/v1/users/${makerId}/block`, {})
    expect(await (await publishLive(address)).ended).toContain("blocked")
    await send("POST", `/api/v1/users/${makerId}/unblock`)
    // At once: they count within a minute.
    const tries = Array.from({ length: 21 }, (_, nth) => publishLive(`${door}/not-a-key-${nth}`))
    for (const publisher of await Promise.all(tries)) await publisher.ended
    expect(await (await publishLive(address)).ended).toContain("Too many wrong")
    expect(node.output).not.toContain(address.split("/").at(-1)!)
    expect((await node.json<Video>(`/api/v1/videos/${id}`, auth)).state.id).toBe(4)
  })

  it("leave anything of themselves behind", async () => {
    await node.stop()
    await node.start()
    const recordings = join(node.dataDir, "tmp-persistent/live")
    await until("the recordings to be gone", 60, async () =>
      !existsSync(recordings) || readdirSync(recordings).length === 0 ? true : undefined
    )
  })
})
