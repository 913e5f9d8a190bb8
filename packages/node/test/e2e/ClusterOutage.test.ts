import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { firstNode, furtherNode, type NodeState, nodesOf } from "../support/ClusterOf.ts"
import { embeddedServer } from "../support/EmbeddedServer.ts"
import { KinoraProcess, until } from "../support/KinoraProcess.ts"

type Node = Awaited<ReturnType<typeof firstNode>>

const shards = 64
const awayMillis = 60_000
const onceEach = ["outbox", "notifications", "views", "trends", "old jobs", "expired sessions", "read models"]

/** The server is stopped in order and started again, so that nothing of its memory is left. */
describe("nodes whose PostgreSQL is stopped for a minute", () => {
  let host: KinoraProcess
  let nodes: ReadonlyArray<Node>

  beforeAll(async () => {
    // Another instance lends its embedded server.
    host = await KinoraProcess.create()
    await host.start()
    const { password, socket } = embeddedServer(host.dataDir)
    const folder = encodeURIComponent(socket.slice(0, socket.lastIndexOf("/")))
    const url = `postgresql://kinora:${encodeURIComponent(password)}@localhost/postgres?host=${folder}`
    const one = await firstNode({ DATABASE_URL: url })
    const two = await furtherNode(one, "two")
    await two.node.start()
    nodes = [one, two]
  })
  afterAll(async () => {
    const [one, two] = nodes ?? []
    await two?.node.stop()
    await one?.node.stop()
    if (two !== undefined) rmSync(two.node.dataDir, { recursive: true, force: true })
    await one?.node.remove()
    if (host !== undefined) await stopServer()
    await host?.remove()
  })

  /** Ends the instance that lends the server, and the server, which goes on while others are connected. */
  const stopServer = async () => {
    const [pid] = readFileSync(join(host.dataDir, "postgres/data/postmaster.pid"), "utf8").split("\n").map(Number)
    await host.stop()
    const ends = () => {
      try {
        process.kill(pid!, "SIGINT")
        return false
      } catch {
        return true
      }
    }
    await until("the server to end", 30, async () => (ends() ? true : undefined))
  }

  const runs = (node: NodeState, task: string) =>
    node.alive && node.tasks.some(({ name, state }) => name === task && state === "running")

  /** Both nodes are alive, have all shards, and each task runs on one of them. */
  const whole = (seconds: number) =>
    until("the cluster to be whole", seconds, async () => {
      const found = await nodesOf(nodes[0]!).catch(() => [])
      const alive = found.filter((node) => node.alive)
      const placed = alive.reduce((sum, node) => sum + node.shards, 0)
      return alive.length === 2 &&
        alive.every((node) => node.shards > 0) &&
        placed === shards &&
        onceEach.every((task) => found.filter((node) => runs(node, task)).length === 1)
        ? found
        : undefined
    })

  it("recover by themselves within fifteen seconds after its return", { timeout: 240_000 }, async () => {
    await whole(60)
    const pids = nodes.map(({ node }) => node.child?.pid)
    await stopServer()
    await until("no answers", 60, async () => {
      const { status } = await nodes[0]!.node.get("/api/v1/videos?sort=-views")
      return status === 503 ? true : undefined
    })
    await new Promise((next) => setTimeout(next, awayMillis))
    for (const { node } of nodes) expect((await node.get("/api/v1/ping")).status).toBe(200)
    await host.start()
    const back = performance.now()
    await whole(60)
    const took = performance.now() - back
    expect(nodes.map(({ node }) => node.child?.pid)).toEqual(pids)
    expect(nodes.map(({ node }) => node.child?.exitCode)).toEqual([null, null])
    expect(took).toBeLessThan(15_000)
    // They still notify each other.
    const name = "After the outage"
    const answer = await fetch(`${nodes[0]!.node.url}/api/v1/config/custom`, {
      method: "PUT",
      headers: { ...nodes[0]!.auth, "content-type": "application/json" },
      body: JSON.stringify({ instance: { name } })
    })
    expect(answer.ok).toBe(true)
    await until("the setting at the other", 5, async () => {
      const config = await nodes[1]!.node.json<{ instance: { name: string } }>("/api/v1/config")
      return config.instance.name === name ? true : undefined
    })
  })
})
