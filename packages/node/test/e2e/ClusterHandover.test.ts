import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { rmSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { firstNode, furtherNode } from "../support/ClusterOf.ts"
import { openDatabase } from "../support/EmbeddedServer.ts"
import { until } from "../support/KinoraProcess.ts"
import { bigBuckBunny, uploadMultipart } from "../support/Uploads.ts"

type Node = Awaited<ReturnType<typeof firstNode>>

/** Jobs of a node that stops in order, as in a rolling restart. */
describe("a node that stops while it encodes", () => {
  let asked: Node
  let workers: ReadonlyArray<Node>
  let database: ReturnType<typeof openDatabase>

  beforeAll(async () => {
    asked = await firstNode({ KINORA_CLUSTER_ROLES: "api" })
    const works = {
      KINORA_CLUSTER_ROLES: "api,worker",
      KINORA_TRANSCODING_ENABLED: "true",
      KINORA_TRANSCODING_THREADS: "1",
      KINORA_TRANSCODING_RESOLUTIONS_1080P: "true"
    }
    workers = [await furtherNode(asked, "two", works), await furtherNode(asked, "three", works)]
    for (const { node } of workers) await node.start()
    database = openDatabase(asked.node.dataDir)
  })
  afterAll(async () => {
    await database?.dispose()
    for (const { node } of workers ?? []) {
      await node.stop("SIGKILL")
      rmSync(node.dataDir, { recursive: true, force: true })
    }
    await asked?.node.remove()
  })

  const rows = <A extends object>(query: (sql: SqlClient) => Effect.Effect<ReadonlyArray<A>, unknown>) =>
    database.runPromise(Effect.flatMap(SqlClient, query))

  /** The job that encodes and the address of the node which does. */
  const encoding = async () => {
    const [job] = await rows<{ id: number; address: string; attempts: number; progress: number | null }>(
      (sql) => sql`select j.id, n.address, j.attempts, j.progress from job j
        join cluster_node n on starts_with(j.lease_owner, n.name)
        where j.state = 'active' and j.type = 'video-transcoding' order by j.id limit 1`
    )
    return job
  }

  it("hands its job over within a second, and the attempt does not count", async () => {
    const answer = await uploadMultipart(asked.node, asked.auth, bigBuckBunny, { name: "Long", privacy: "1" })
    expect(answer.status).toBe(200)
    const times: Array<number> = []
    for (let turn = 0; turn < 3; turn++) {
      const at = await until("a node to encode", 60, async () => {
        const job = await encoding()
        return (job?.progress ?? 0) > 0 ? job : undefined
      })
      const stopping = workers.find(({ address }) => address === at.address)!
      const others = workers.filter((node) => node !== stopping)
      const began = performance.now()
      const stopped = stopping.node.stop()
      const next = await until("another node to encode", 20, async () => {
        const job = await encoding()
        return others.some(({ address }) => address === job?.address) ? job : undefined
      })
      times.push(performance.now() - began)
      expect([next.id, next.attempts]).toEqual([at.id, at.attempts])
      await stopped
      await stopping.node.start()
    }
    // The machine may be busy with other things.
    expect(Math.min(...times), times.map(Math.round).join(", ")).toBeLessThan(1000)
  })
})
