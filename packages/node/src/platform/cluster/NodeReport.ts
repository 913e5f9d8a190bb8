import { makeNodeReports } from "@kinora/storage/platform/cluster/NodeReports"
import { DateTime, Duration, Effect, Schema } from "effect"
import { Sharding } from "effect/cluster"
import { every } from "../supervision/Every.ts"
import { Supervisor } from "../supervision/Supervisor.ts"
import { ClusterNode } from "./ClusterNode.ts"

/** What a node reports of itself to the others, which show it to administrators. */
export const NodeReport = Schema.Struct({
  /** Actors and other entities that are in memory. */
  entities: Schema.Int,
  tasks: Schema.Array(Schema.Struct({ name: Schema.String, state: Schema.String, restarts: Schema.Int })),
  /** Identifiers of the videos that are streamed to it. */
  lives: Schema.Array(Schema.String)
})
export type NodeReport = typeof NodeReport.Type

export const decodeReport = Schema.decodeUnknownOption(NodeReport)

const reportEvery = Duration.seconds(2)

/** Reports what this node runs, if there are others. `lives`: those that are streamed to it. */
export const nodeReports = Effect.fnUntraced(function* (lives: () => ReadonlyArray<string>) {
  const node = yield* ClusterNode
  if (node === undefined) return
  const supervisor = yield* Supervisor
  const write = yield* makeNodeReports
  const sharding = yield* Sharding.Sharding
  let written = ""
  let writtenAt = 0
  const report = Effect.gen(function* () {
    const states = yield* supervisor.states
    const text: NodeReport = {
      entities: yield* sharding.activeEntityCount,
      tasks: states.map(({ name, restarts, status }) => ({ name, state: status, restarts })),
      lives: lives()
    }
    const now = DateTime.toEpochMillis(yield* DateTime.now)
    const next = JSON.stringify(text)
    // Also when nothing changed: the row may be a new one.
    if (next === written && now - writtenAt < 30_000) return
    yield* write(node.address, text)
    written = next
    writtenAt = now
  })
  yield* supervisor.run("report of this node", every(reportEvery, report))
})
