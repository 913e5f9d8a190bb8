import { Context, Duration, Effect, PubSub } from "effect"
import { KinoraConfig } from "../config/Config.ts"
import { RuntimeConfig } from "../config/RuntimeConfig.ts"
import { Supervisor } from "../supervision/Supervisor.ts"

/** Waits until a worker may claim another job. A worker that is one too many waits here, after its last job. */
export const ClaimGate = Context.Reference<Effect.Effect<void>>("@kinora/node/jobs/ClaimGate", {
  defaultValue: () => Effect.void
})

const lookEvery = Duration.seconds(1)

/**
 * Runs as many workers under the supervisor as a setting says, also after it was changed, on a node that works. Workers that are too many
 * finish their job first.
 */
export const superviseWorkers = Effect.fn("superviseWorkers")(function* (
  name: string,
  count: () => number,
  worker: Effect.Effect<never>
) {
  if (!(yield* KinoraConfig).cluster.roles.includes("worker")) return
  const supervisor = yield* Supervisor
  const { changes } = yield* RuntimeConfig
  let started = 0

  const gate = (nth: number) =>
    Effect.suspend(() => (nth <= count() ? Effect.void : Effect.sleep(lookEvery))).pipe(
      Effect.repeat({ until: () => nth <= count() }),
      Effect.asVoid
    )

  const start = Effect.gen(function* () {
    while (started < count()) {
      started += 1
      yield* supervisor.run(`${name} ${started}`, Effect.provideService(worker, ClaimGate, gate(started)), {
        handsOver: true
      })
    }
  })

  yield* start
  yield* supervisor.run(
    `number of workers (${name})`,
    Effect.scoped(
      Effect.gen(function* () {
        const changed = yield* changes
        for (;;) {
          yield* start
          yield* PubSub.take(changed)
        }
      })
    )
  )
})
