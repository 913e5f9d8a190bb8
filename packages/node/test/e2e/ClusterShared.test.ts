import { randomBytes } from "node:crypto"
import { readFileSync, rmSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { firstNode, furtherNode, nodesOf } from "../support/ClusterOf.ts"
import { freePort, until } from "../support/KinoraProcess.ts"
import { liveMaker } from "../support/LiveMaker.ts"
import { type TrackerClient, trackerClient } from "../support/TrackerClient.ts"

type Node = Awaited<ReturnType<typeof firstNode>>

const offer = readFileSync(
  fileURLToPath(new URL("../../../ingest/test/webrtc/fixtures/chromium.sdp", import.meta.url)),
  "utf8"
)

const mostRequests = 150

const binary = (hex: string): string => Buffer.from(hex, "hex").toString("latin1")
const percent = (hex: string): string => hex.replaceAll(/../g, "%$&")
const newHash = (): string => randomBytes(20).toString("hex")

/** What is one for all nodes of an instance, whichever of them a client meets. */
describe("clients of a cluster", () => {
  let nodes: ReadonlyArray<Node>
  const clients: Array<TrackerClient> = []

  beforeAll(async () => {
    const one = await firstNode({
      KINORA_LIVE_ENABLED: "true",
      KINORA_LIVE_RTMP_ENABLED: "false",
      KINORA_LIVE_WHIP_ENABLED: "true",
      KINORA_LIVE_WHIP_PORT: String(await freePort()),
      KINORA_TRACKER_PRIVATE: "false",
      KINORA_RATES_LIMIT_API_MAX: String(mostRequests),
      KINORA_RATES_LIMIT_LOGIN_MAX: "15"
    })
    const two = await furtherNode(one, "two", { KINORA_LIVE_WHIP_PORT: String(await freePort()) })
    const three = await furtherNode(one, "three", { KINORA_CLUSTER_ROLES: "api" })
    nodes = [one, two, three]
    await two.node.start()
    await three.node.start()
    await until("all to know each other", 30, async () => {
      const known = await nodesOf(one)
      return known.filter(({ alive }) => alive).length === 3 ? true : undefined
    })
  })
  afterAll(async () => {
    for (const client of clients) client.close()
    const [one, ...further] = nodes ?? []
    for (const { node } of further) {
      await node.stop()
      rmSync(node.dataDir, { recursive: true, force: true })
    }
    await one?.node.remove()
  })

  const connect = async (at: Node) => {
    const client = await trackerClient(at.node.url)
    clients.push(client)
    return client
  }

  it("exchange offers and answers through the tracker of any node", async () => {
    // Enough of them that each node has some.
    for (let nth = 0; nth < 6; nth++) {
      const infoHash = newHash()
      const [first, second] = [await connect(nodes[nth % 3]!), await connect(nodes[(nth + 1) % 3]!)]
      const announce = { action: "announce", info_hash: binary(infoHash), left: 1, numwant: 1 }
      first.send({ ...announce, peer_id: first.peerId, event: "started", offers: [] })
      await first.next(({ interval }) => interval !== undefined)
      const offered = { offer: { type: "offer", sdp: "v=0 from the second" }, offer_id: "an-offer" }
      second.send({ ...announce, peer_id: second.peerId, event: "started", offers: [offered] })
      expect(await second.next(({ interval }) => interval !== undefined)).toMatchObject({ complete: 0, incomplete: 2 })
      expect(await first.next(({ offer: its }) => its !== undefined)).toMatchObject({
        ...offered,
        peer_id: second.peerId
      })
      const answer = { type: "answer", sdp: "v=0 from the first" }
      first.send({ ...announce, peer_id: first.peerId, to_peer_id: second.peerId, answer, offer_id: "an-offer" })
      expect(await second.next((message) => message["answer"] !== undefined)).toMatchObject({
        answer,
        peer_id: first.peerId
      })
      for (const { node } of nodes) {
        const scraped = await (await node.get(`/tracker/scrape?info_hash=${percent(infoHash)}`)).text()
        expect(scraped).toContain("10:incompletei2e")
      }
      second.close()
      await until("the second to be gone", 10, async () => {
        first.send({ ...announce, peer_id: first.peerId })
        const { incomplete } = await first.next(({ interval }) => interval !== undefined)
        return incomplete === 1 ? true : undefined
      })
    }
  })

  it("are counted and found by HTTP whichever node they announce to", async () => {
    const infoHash = newHash()
    const announce = async ({ node }: Node, address: string, port: number) => {
      const query = `info_hash=${percent(infoHash)}&peer_id=${percent(newHash())}&port=${port}&left=0&event=started`
      const headers = { "x-forwarded-for": address }
      const answer = await fetch(`${node.url}/tracker/announce?${query}`, { headers })
      return Buffer.from(await answer.arrayBuffer()).toString("latin1")
    }
    for (const [nth, node] of nodes.entries()) {
      const answer = await announce(node, `192.0.2.${nth + 1}`, 6881)
      expect(answer).toContain(`8:completei${nth + 1}e`)
      const peers = Buffer.from(/5:peers(\d+):([^]*)/.exec(answer)![2]!, "latin1")
      const addresses = Array.from({ length: nth }, (_, one) => [192, 0, 2, one + 1].join("."))
      for (const address of addresses) expect(peers.includes(Buffer.from(address.split(".").map(Number)))).toBe(true)
    }
  })

  /** Tries to log in with wrong passwords, at one node after another; how many were answered before the limit. */
  const wrongLogins = async (among: ReadonlyArray<Node>, address: string): Promise<number> => {
    const { client_id, client_secret } = await nodes[0]!.node.json<{ client_id: string; client_secret: string }>(
      "/api/v1/oauth-clients/local"
    )
    for (let tried = 0; tried < 60; tried++) {
      const { node } = among[tried % among.length]!
      const answer = await fetch(`${node.url}/api/v1/users/token`, {
        method: "POST",
        headers: { "x-forwarded-for": address },
        body: new URLSearchParams({
          ...{ client_id, client_secret, grant_type: "password" },
          ...{ username: `nobody-${tried}`, password: "not-the-password" }
        })
      })
      if (answer.status === 429) return tried
      expect(answer.status).toBe(400)
    }
    return 60
  }

  it("guess as many passwords at three nodes as at one", async () => {
    const atOne = await wrongLogins(nodes.slice(0, 1), "198.51.100.1")
    expect(atOne).toBeLessThan(60)
    expect(await wrongLogins(nodes, "198.51.100.2")).toBe(atOne)
  })

  it("are refused by all nodes when they ask too much of all of them", async () => {
    const headers = { "x-forwarded-for": "198.51.100.3" }
    const status = async ({ node }: Node) => (await fetch(`${node.url}/api/v1/config/about`, { headers })).status
    // Fewer at each than one allows, more at all.
    const asked = await Promise.all(nodes.flatMap((node) => Array.from({ length: 90 }, () => status(node))))
    expect(asked.filter((one) => one === 200).length).toBeGreaterThanOrEqual(mostRequests)
    for (const node of nodes) {
      let more = 0
      await until("this node to refuse, too", 5, async () => {
        if ((await status(node)) === 429) return true
        more++
        await new Promise((next) => setTimeout(next, 200))
        return undefined
      })
      expect(more).toBeLessThan(15)
    }
  })

  it("go on at the tracker when the node that had the swarm is lost", async () => {
    const lost = nodes[1]!
    const hashes = Array.from({ length: 6 }, newHash)
    await lost.node.stop("SIGKILL")
    const [first, second] = [await connect(nodes[0]!), await connect(nodes[2]!)]
    for (const infoHash of hashes) {
      const announce = { action: "announce", info_hash: binary(infoHash), left: 1, event: "started", numwant: 1 }
      for (const [nth, client] of [first, second].entries()) {
        client.send({ ...announce, peer_id: client.peerId, offers: [] })
        const joined = await client.next(({ interval }) => interval !== undefined)
        expect(joined).toMatchObject({ complete: 0, incomplete: nth + 1 })
      }
    }
    await lost.node.start()
  })

  it("end what they publish by WebRTC through any node", async () => {
    const [one, two, three] = nodes as readonly [Node, Node, Node]
    const maker = await liveMaker(one.node)
    const live = await maker.create()
    const { streamKey } = await one.node.json<{ streamKey: string }>(`/api/v1/videos/live/${live.id}`, maker.auth)
    const headers = { authorization: `Bearer ${streamKey}`, "content-type": "application/sdp" }
    const publish = async ({ node }: Node, key = streamKey, body = offer) =>
      fetch(`${node.url}/api/v1/videos/live/whip`, {
        method: "POST",
        headers: { ...headers, authorization: `Bearer ${key}` },
        body
      })
    const end = async ({ node }: Node, location: string, key = streamKey) =>
      (
        await fetch(node.url + new URL(location).pathname, {
          method: "DELETE",
          headers: { authorization: `Bearer ${key}` }
        })
      ).status
    // The third takes no publishers itself.
    for (const [at, other] of [
      [one, two],
      [two, three],
      [three, one]
    ] as const) {
      const answered = await until("a door", 20, async () => {
        const answer = await publish(at)
        return answer.status === 503 ? undefined : answer
      })
      expect(answered.status).toBe(201)
      expect(await answered.text()).toContain("a=candidate:")
      const location = answered.headers.get("location")!
      expect(await end(other, location, "not-its-key")).toBe(401)
      expect(await end(other, location)).toBe(204)
      for (const node of nodes) expect(await end(node, location)).toBe(404)
    }
    expect((await publish(three, "not-a-key")).status).toBe(401)
    expect((await publish(three, streamKey, "v=1")).status).toBe(400)
  })
})
