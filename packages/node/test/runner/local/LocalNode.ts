import { Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { readdir } from "node:fs/promises"
import { EncodeSlots } from "../../../src/video/process/EncodeSlots.ts"
import { ProcessingSettings, type ProcessingSettingsShape } from "../../../src/video/process/ProcessingSettings.ts"
import { LocalRunner } from "../../../src/runner/local/LocalRunner.ts"
import { localServices } from "../../../src/runner/local/LocalServices.ts"
import { bearer, send } from "../../instance/about/Client.ts"
import { sourceNode } from "../../video/source/SourceNode.ts"
import { root } from "../Ladders.ts"

/** A node that gives its ladders to runners, and does their jobs itself when it is told to. */
export const localNode = (localAfter: string | number = 0, processing: Partial<ProcessingSettingsShape> = {}) =>
  Layer.mergeAll(localServices, EncodeSlots.layer).pipe(
    Layer.provideMerge(
      sourceNode({
        config: { transcoding: { remote_runners: { enabled: true, local_after: localAfter } } },
        processing: { remoteRunners: true, ...processing }
      })
    )
  )

/** Lets this node do jobs until it finds none; gives how many. */
export const doAll = Effect.gen(function* () {
  const { once } = yield* LocalRunner
  let done = 0
  while ((yield* once) !== "idle") done++
  return done
})

export interface ShownJob {
  readonly uuid: string
  readonly type: string
  readonly state: { readonly id: number }
  readonly failures: number
  readonly error: string | null
  readonly progress: number | null
  readonly runner: { readonly id: number; readonly name: string; readonly description: string | null } | null
}

/** The jobs of a video as administrators see them. */
export const shownJobs = Effect.fnUntraced(function* (videoId: number) {
  const sql = yield* SqlClient
  const known = yield* sql<{ uuid: string }>`select uuid from runner_job where video_id = ${videoId}`
  const { json } = yield* send("/api/v1/runners/jobs?count=100&sort=createdAt", bearer(yield* root))
  const all: ReadonlyArray<ShownJob> = json.data
  return all.filter(({ uuid }) => known.some((one) => one.uuid === uuid))
})

/** Names of what lies in the folders for work in progress. */
export const workLeft = Effect.flatMap(ProcessingSettings, ({ workDirectory }) =>
  Effect.promise(() => readdir(workDirectory))
)

/** Waits until the condition holds, 30 s at most. */
export const eventually = <E, R>(condition: Effect.Effect<boolean, E, R>) =>
  condition.pipe(
    Effect.repeat({
      until: (met: boolean) => met,
      schedule: Schedule.max([Schedule.spaced("20 millis"), Schedule.recurs(1500)])
    }),
    Effect.flatMap((met) => (met ? Effect.void : Effect.die("it never came to this")))
  )
