import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { InstanceCounts } from "@kinora/storage/instance/installation/InstanceCounts"
import { DateTime, Effect, Option } from "effect"
import { HttpServerResponse } from "effect/http"
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

/** The running node: ping and state. */
export const layer = apiGroup(
  "server",
  Effect.fnUntraced(function* (handlers) {
    const counts = yield* InstanceCounts
    const supervisor = yield* Supervisor
    const commands = yield* DebugCommands
    return handlers.handleAll({
      ping: () => pong,
      getDebug: ({ request }) =>
        answer(
          Effect.gen(function* () {
            const tasks = yield* supervisor.states
            return {
              ip: Option.getOrElse(request.remoteAddress, () => ""),
              activityPubMessagesWaiting: yield* counts.activitiesWaiting,
              tasks: tasks.map(taskWire)
            }
          })
        ),
      runDebugCommand: ({ payload }) => answer(Effect.flatMap(CurrentUser, (user) => commands.run(user, payload)))
    } satisfies Answers<"server">)
  })
)
