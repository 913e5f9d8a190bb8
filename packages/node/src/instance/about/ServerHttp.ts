import { Api } from "@kinora/domain/api/Api"
import { InstanceCounts } from "@kinora/storage/instance/installation/InstanceCounts"
import { DateTime, Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { HttpServerResponse } from "effect/http"
import { answer } from "../../platform/http/Answer.ts"
import { Supervisor } from "../../platform/supervision/Supervisor.ts"
import type { TaskState } from "../../platform/supervision/TaskState.ts"

const pong = Effect.succeed(HttpServerResponse.text("pong", { contentType: "text/html; charset=utf-8" }))

const taskWire = (task: TaskState) => ({
  name: task.name,
  state: task.status,
  restarts: task.restarts,
  since: DateTime.formatIso(task.since),
  lastCause: task.lastCause ?? null
})

/** The running node: ping, and its state. */
export const layer = HttpApiBuilder.group(
  Api,
  "server",
  Effect.fnUntraced(function* (handlers) {
    const counts = yield* InstanceCounts
    const supervisor = yield* Supervisor
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
        )
    })
  })
)
