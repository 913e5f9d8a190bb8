import { until } from "../../KinoraProcess.ts"
import type { ClusterNode } from "./ClusterNode.ts"
import type { ClusterStage } from "./ClusterStage.ts"

const shards = 64

/** Regular tasks of which the cluster runs one each. */
const onceEach = ["outbox", "notifications", "views", "trends", "old jobs", "expired sessions", "read models"]

interface Report {
  readonly address: string
  readonly alive: boolean
  readonly tasks: ReadonlyArray<{ readonly name: string; readonly state: string }>
}

/** Seconds that others took to have what was a lost node's. */
export interface TakeOver {
  readonly shards: number
  readonly jobs: number
}

/** Waits until others have everything that was a lost node's. */
export const takenOver = async (stage: ClusterStage, node: ClusterNode, since: number): Promise<TakeOver> => {
  const { rows } = stage.parts
  const seconds = () => (performance.now() - since) / 1000
  const { address } = node
  const nothing = async (what: string, query: Parameters<typeof rows.ask<{ n: number }>>[0]) => {
    await until(`${what} of ${address} to be taken over`, 45, async () =>
      (await rows.ask<{ n: number }>(query))?.[0]?.n === 0 ? true : undefined
    )
    return seconds()
  }
  const [ofShards, ofJobs] = await Promise.all([
    nothing("shards", (sql) => sql`select count(*)::int as n from cluster_shard where address = ${address}`),
    nothing(
      "jobs",
      (sql) => sql`select count(*)::int as n from job j where j.state = 'active' and exists (
        select 1 from cluster_node n where n.address = ${address} and starts_with(j.lease_owner, n.name || ' '))`
    )
  ])
  return { shards: ofShards, jobs: ofJobs }
}

/** What is wrong with who runs what. */
export const misplaced = async (stage: ClusterStage): Promise<ReadonlyArray<string>> => {
  const { auth, nodes, rows } = stage.parts
  const addresses = nodes.map(({ address }) => address)
  const owned = await rows.ask<{ n: number }>(
    (sql) => sql`select count(*)::int as n from cluster_shard where ${sql.in("address", addresses)}`
  )
  if (owned?.[0]?.n !== shards) return [`${owned?.[0]?.n ?? "no"} shards of ${shards} are placed`]
  const reports = await stage.alive.process
    .json<{ nodes: ReadonlyArray<Report> }>("/api/v1/server/debug", auth)
    .then((it) => it.nodes)
    .catch(() => [])
  const alive = reports.filter(({ address, alive: is }) => is && addresses.includes(address))
  const runs = (task: string) =>
    alive.filter(({ tasks }) => tasks.some(({ name, state }) => name === task && state === "running")).length
  return [
    ...(alive.length === nodes.length ? [] : [`${alive.length} of ${nodes.length} nodes are alive`]),
    ...onceEach.flatMap((task) => (runs(task) === 1 ? [] : [`${runs(task)} nodes run "${task}"`]))
  ]
}
