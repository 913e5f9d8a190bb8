import { rmSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { firstNode, furtherNode, nodesOf } from "../support/ClusterOf.ts"
import { freePort, until } from "../support/KinoraProcess.ts"
import { liveMaker, type LiveVideo } from "../support/LiveMaker.ts"
import { type LivePublisher, publishLive } from "../support/Publisher.ts"

type Node = Awaited<ReturnType<typeof firstNode>>

const published = 1
const ended = 5

/** Lives that are published to one node and watched, and ended, through another. */
describe("lives of a cluster", () => {
  let one: Node
  let two: Node
  let ports: readonly [number, number]
  let maker: Awaited<ReturnType<typeof liveMaker>>
  const publishers: Array<LivePublisher> = []

  beforeAll(async () => {
    ports = [await freePort(), await freePort()]
    one = await firstNode({
      KINORA_LIVE_ENABLED: "true",
      KINORA_LIVE_RTMP_PORT: String(ports[0]),
      KINORA_LIVE_TRANSCODING_ENABLED: "false",
      KINORA_LIVE_HLS_LOW_LATENCY: "true"
    })
    two = await furtherNode(one, "two", { KINORA_LIVE_RTMP_PORT: String(ports[1]) })
    await two.node.start()
    maker = await liveMaker(one.node)
  })
  afterAll(async () => {
    for (const publisher of publishers) publisher.child.kill("SIGKILL")
    await two?.node.stop()
    rmSync(two.node.dataDir, { recursive: true, force: true })
    await one?.node.remove()
  })

  const publishTo = async (nth: 0 | 1, address: string) => {
    const publisher = await publishLive(address.replace(`:${ports[0]}/`, `:${ports[nth]}/`))
    publishers.push(publisher)
    return publisher
  }

  const text = async (at: Node, path: string) => {
    const answer = await at.node.get(path)
    return answer.status === 200 ? await answer.text() : undefined
  }

  /** The media playlist of a live by a node, and where it is. */
  const playlistAt = async (at: Node, { streamingPlaylists: [playlist] }: LiveVideo) => {
    const master = new URL(playlist!.playlistUrl)
    const name = (await text(at, master.pathname))?.split("\n").find((line) => line.endsWith(".m3u8"))
    if (name === undefined) return undefined
    const { pathname } = new URL(name, master)
    const found = await text(at, pathname)
    return found === undefined ? undefined : { pathname, text: found }
  }

  const health = (at: Node, id: number) =>
    at.node.json<{ connected: boolean }>(`/api/v1/videos/live/${id}/health`, maker.auth)

  it("are watched, seen after and ended through another node than their publisher's", async () => {
    const live = await maker.create()
    await publishTo(1, live.address)
    const shown = await maker.untilState(live.id, published)
    for (const at of [one, two]) {
      const playlist = await until("segments", 30, async () => {
        const found = await playlistAt(at, shown)
        return (found?.text.match(/#EXTINF/g)?.length ?? 0) >= 2 ? found : undefined
      })
      const folder = playlist.pathname.slice(0, playlist.pathname.lastIndexOf("/") + 1)
      const segment = playlist.text.split("\n").findLast((line) => /^[^#].*\.(?:m4s|mp4|ts)$/.test(line))!
      expect((await at.node.get(folder + segment)).status).toBe(200)
      const part = [...playlist.text.matchAll(/#EXT-X-PART:.*?URI="([^"]+)"/g)].at(-1)![1]!
      expect((await at.node.get(folder + part)).status).toBe(200)
      // The next segment is waited for.
      const next = Number(/MEDIA-SEQUENCE:(\d+)/.exec(playlist.text)![1]) + playlist.text.match(/#EXTINF/g)!.length
      const waited = await at.node.get(`${playlist.pathname}?_HLS_msn=${next}`)
      expect([waited.status, (await waited.text()).includes("#EXTINF")]).toEqual([200, true])
      expect((await at.node.get(`${playlist.pathname}?_HLS_msn=${next + 100}`)).status).toBe(400)
      expect((await health(at, live.id)).connected).toBe(true)
    }
    await until("the report of the node", 10, async () => {
      const holder = (await nodesOf(one)).find(({ lives }) => lives.includes(live.uuid))
      return holder?.address === two.address ? true : undefined
    })
    expect((await maker.send("POST", `/api/v1/videos/live/${live.id}/end`)).status).toBe(204)
    await maker.untilState(live.id, ended)
    const last = await playlistAt(one, shown)
    expect(last?.text).toContain("#EXT-X-ENDLIST")
  })

  it("go on at another node when theirs is lost", async () => {
    const live = await maker.create({ permanentLive: true })
    const first = await publishTo(1, live.address)
    await maker.untilState(live.id, published)
    await two.node.stop("SIGKILL")
    const began = performance.now()
    first.child.kill("SIGKILL")
    await until("another node to take its publisher", 20, async () => {
      const publisher = await publishTo(0, live.address)
      await Promise.race([publisher.ended, new Promise((next) => setTimeout(next, 1500))])
      // Until its loss is known the other node is asked.
      const found = await health(one, live.id).catch(() => undefined)
      return found?.connected === true ? true : undefined
    })
    expect(performance.now() - began).toBeLessThan(15_000)
    const shown = await maker.videoOf(live.id)
    await until("segments of the new node", 30, async () => {
      const found = await playlistAt(one, shown)
      return found?.text.includes("#EXTINF") === true ? true : undefined
    })
  })
})
