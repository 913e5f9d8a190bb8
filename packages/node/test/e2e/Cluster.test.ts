import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { rmSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { firstNode, furtherNode, type NodeState, nodesOf } from "../support/ClusterOf.ts"
import { openDatabase } from "../support/EmbeddedServer.ts"
import { send } from "../support/Federating.ts"
import { until } from "../support/KinoraProcess.ts"

type Node = Awaited<ReturnType<typeof firstNode>>

const shards = 64
/** Some that run once, and one that runs on each node. */
const onceEach = ["outbox", "notifications", "views", "trends", "old jobs", "expired sessions", "read models"]

describe("nodes of a cluster", () => {
  let one: Node
  let two: Node
  let database: ReturnType<typeof openDatabase>

  beforeAll(async () => {
    one = await firstNode()
    two = await furtherNode(one, "two")
    await two.node.start()
    database = openDatabase(one.node.dataDir)
  })
  afterAll(async () => {
    await database?.dispose()
    await two?.node.stop()
    rmSync(two.node.dataDir, { recursive: true, force: true })
    await one?.node.remove()
  })

  const rows = <A extends object>(query: (sql: SqlClient) => Effect.Effect<ReadonlyArray<A>, unknown>) =>
    database.runPromise(Effect.flatMap(SqlClient, query))

  const shardsOf = async (address: string) =>
    (
      await rows<{ n: number }>((sql) => sql`select count(*)::int as n from cluster_shard where address = ${address}`)
    )[0]!.n

  const runs = (node: NodeState | undefined, task: string) =>
    node?.alive === true && node.tasks.some(({ name, state }) => name === task && state === "running")

  const shared = () =>
    until("both to have a share", 20, async () => {
      const [ofOne, ofTwo] = [await shardsOf(one.address), await shardsOf(two.address)]
      return ofOne > 0 && ofTwo > 0 && ofOne + ofTwo === shards ? true : undefined
    })

  /** Each task runs on one of the nodes. */
  const onceOnly = () =>
    until("each task to run once", 15, async () => {
      const nodes = await nodesOf(one).catch(() => [])
      return onceEach.every((task) => nodes.filter((node) => runs(node, task)).length === 1) ? nodes : undefined
    })

  it("share what runs once, and say who runs it", async () => {
    await shared()
    const nodes = await onceOnly()
    expect(nodes.map(({ address }) => address).sort()).toEqual([one.address, two.address].sort())
    expect(nodes.find(({ answers }) => answers)?.address).toBe(one.address)
    for (const node of nodes) expect(node.roles).toEqual(["api", "worker", "ingest"])
    // A node reports what it runs every two seconds: until then one that was alone has all.
    await until("each to run its part", 20, async () =>
      (await onceOnly()).every((node) => onceEach.some((task) => runs(node, task))) ? true : undefined
    )
    await until("what runs on each to run on both", 20, async () =>
      (await nodesOf(one)).every((node) => runs(node, "job leases")) ? true : undefined
    )
  })

  /** The shortest of three: the machine may be busy with other things. */
  const fastest = async (once: (nth: number) => Promise<number>): Promise<number> =>
    Math.min(await once(1), await once(2), await once(3))

  it("hear of settings and of sessions that ended within a second", async () => {
    const nameAt = async ({ node }: Node) =>
      ((await (await node.get("/api/v1/config")).json()) as { instance: { name: string } }).instance.name
    const setting = await fastest(async (nth) => {
      const name = `Of a cluster ${nth}`
      await send(one, "PUT", "/api/v1/config/custom", { instance: { name } })
      const changed = performance.now()
      await until("the setting", 10, async () => ((await nameAt(two)) === name ? true : undefined))
      return performance.now() - changed
    })
    expect(setting).toBeLessThan(1000)

    const ended = await fastest(async () => {
      const session = await one.node.login()
      const me = async ({ node }: Node) => (await node.get("/api/v1/users/me", session)).status
      expect([await me(one), await me(two)]).toEqual([200, 200])
      const revoked = await fetch(`${one.node.url}/api/v1/users/revoke-token`, { method: "POST", headers: session })
      expect(revoked.status).toBe(200)
      const began = performance.now()
      await until("the end of the session", 10, async () => ((await me(two)) === 401 ? true : undefined))
      return performance.now() - began
    })
    expect(ended).toBeLessThan(1000)
  })

  it("hand over within a second when one stops, and take a share when it is back", async () => {
    await shared()
    const began = performance.now()
    const stopped = two.node.stop()
    await until("the other to have all", 10, async () => ((await shardsOf(one.address)) === shards ? true : undefined))
    const took = performance.now() - began
    expect(took).toBeLessThan(1000)
    await stopped
    await until("each task to run there", 10, async () => {
      const here = (await nodesOf(one)).find(({ address }) => address === one.address)
      return onceEach.every((task) => runs(here, task)) ? true : undefined
    })
    await two.node.start()
    await shared()
    await onceOnly()
  })

  it("replace one that is killed within fifteen seconds", async () => {
    // A job that the node is at.
    const owner = `${one.address} long`
    await rows(
      (sql) => sql`insert into job (type, payload, state, attempts, lease_owner, lease_token, lease_until)
        values ('test-of-the-dead', '{}', 'active', 1, ${owner}, gen_random_uuid(), now() + interval '12 seconds')`
    )
    await two.node.stop("SIGKILL")
    const began = performance.now()
    await until("the other to have all", 30, async () => ((await shardsOf(one.address)) === shards ? true : undefined))
    const took = performance.now() - began
    await until("the job to be free", 30, async () => {
      const free = await rows((sql) => sql`select from job where type = 'test-of-the-dead' and state = 'waiting'`)
      return free.length === 1 ? true : undefined
    })
    const job = performance.now() - began
    expect(took).toBeLessThan(15_000)
    expect(job).toBeLessThan(15_000)
    await rows((sql) => sql`delete from job where type = 'test-of-the-dead'`)
    const nodes = await nodesOf(one)
    expect(nodes.find(({ address }) => address === two.address)?.alive).toBe(false)
    await two.node.start()
    await shared()
    await onceOnly()
  })

  it("go on when the database was away", async () => {
    await rows(
      (sql) => sql`select pg_terminate_backend(pid) from pg_stat_activity
        where pid <> pg_backend_pid() and backend_type = 'client backend'`
    )
    await shared()
    await onceOnly()
  })

  it("have no node among them that does not know their secret", async () => {
    const stranger = await furtherNode(one, "stranger", { KINORA_CLUSTER_SECRET: "another secret than theirs" })
    await expect(stranger.node.start()).rejects.toThrow("has another secret")
    expect(await shardsOf(stranger.address)).toBe(0)
    rmSync(stranger.node.dataDir, { recursive: true, force: true })
  })

  it("leave to each what is its role", async () => {
    const [asked, works] = [
      await furtherNode(one, "asked", { KINORA_CLUSTER_ROLES: "api" }),
      await furtherNode(one, "works", { KINORA_CLUSTER_ROLES: "worker" })
    ]
    await asked.node.start()
    works.node.spawn()
    const nodes = await until("both to be there", 30, async () => {
      const all = (await nodesOf(asked)).filter(({ alive, tasks }) => alive && tasks.length > 0)
      return all.length === 4 ? all : undefined
    })
    const stateOf = ({ address }: Node) => nodes.find((node) => node.address === address)!
    expect([stateOf(asked).answers, stateOf(asked).shards]).toEqual([true, 0])
    for (const task of ["publishing 1", "transcoding 1", "job leases", "lives by RTMP", ...onceEach]) {
      expect(runs(stateOf(asked), task), task).toBe(false)
    }
    expect(runs(stateOf(asked), "settings")).toBe(true)
    await until("the worker to have a share", 20, async () => ((await shardsOf(works.address)) > 0 ? true : undefined))
    const working = await until("the worker to report", 20, async () => {
      const found = (await nodesOf(asked)).find(({ address }) => address === works.address)
      return runs(found, "publishing 1") ? found : undefined
    })
    expect(runs(working, "lives by RTMP")).toBe(false)
    await expect(fetch(`${works.node.url}/api/v1/videos`)).rejects.toThrow()
    await Promise.all([asked.node.stop(), works.node.stop()])
    for (const { node } of [asked, works]) rmSync(node.dataDir, { recursive: true, force: true })
  })
})
