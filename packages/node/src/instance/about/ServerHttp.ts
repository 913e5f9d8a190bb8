import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { InstanceCounts } from "@kinora/storage/instance/installation/InstanceCounts"
import { ClusterNodeReads, type ClusterNodeState } from "@kinora/storage/platform/cluster/ClusterNodeReads"
import { DateTime, Effect, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import { ClusterNode } from "../../platform/cluster/ClusterNode.ts"
import { aliveSeconds } from "../../platform/cluster/ClusterTimes.ts"
import { decodeReport, type NodeReport } from "../../platform/cluster/NodeReport.ts"
import { type Answers, answer, respond } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { Supervisor } from "../../platform/supervision/Supervisor.ts"
import { DebugCommands } from "./DebugCommands.ts"
import type { TaskState } from "../../platform/supervision/TaskState.ts"

const pong = Effect.succeed(
  respond<string>(HttpServerResponse.text("pong", { contentType: "text/html; charset=utf-8" }))
)

const taskWire = (task: TaskState) => ({
  name: task.name,
  state: task.status,
  restarts: task.restarts,
  since: DateTime.formatIso(task.since),
  lastCause: task.lastCause ?? null
})

const noReport: NodeReport = { entities: 0, tasks: [], lives: [] }

const nodeWire = (node: ClusterNodeState, answering: string) => ({
  name: node.name,
  address: node.address,
  roles: node.roles,
  version: node.version,
  startedAt: node.startedAt.toISOString(),
  seenAt: node.seenAt.toISOString(),
  alive: node.alive,
  answers: node.address === answering,
  shards: node.shards,
  ...Option.getOrElse(decodeReport(node.report), () => noReport)
})

/** The running node: ping and state. */
export const layer = apiGroup(
  "server",
  Effect.fnUntraced(function* (handlers) {
    const counts = yield* InstanceCounts
    const supervisor = yield* Supervisor
    const commands = yield* DebugCommands
    const here = yield* ClusterNode
    const nodes = yield* ClusterNodeReads
    const others =
      here === undefined
        ? Effect.succeed({})
        : Effect.map(nodes.all(aliveSeconds), (all) => ({
            nodes: all.map((node) => nodeWire(node, here.address))
          }))
    return handlers.handleAll({
      ping: () => pong,
      getDebug: ({ request }) =>
        answer(
          Effect.gen(function* () {
            const tasks = yield* supervisor.states
            return {
              ip: Option.getOrElse(request.remoteAddress, () => ""),
              activityPubMessagesWaiting: yield* counts.activitiesWaiting,
              tasks: tasks.map(taskWire),
              ...(yield* others)
            }
          })
        ),
      runDebugCommand: ({ payload }) => answer(Effect.flatMap(CurrentUser, (user) => commands.run(user, payload)))
    } satisfies Answers<"server">)
  })
)
