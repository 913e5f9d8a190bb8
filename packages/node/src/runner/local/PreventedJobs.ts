import { publicRunnerJobTypes } from "@kinora/domain/enums/RunnerJobType"
import type { NodeRunnerJob } from "@kinora/storage/runner/NodeRunnerJobs"
import { RunnerRows } from "@kinora/storage/runner/RunnerRows"
import { Clock, Context, Duration, Effect } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"

/** How long a job that this node cannot do waits for a runner. */
export const LocalRetention = Context.Reference<{
  /** While no runner is known that could do it. */
  readonly withoutRunner: Duration.Duration
  /** While there are some, which may be busy or unable as well. */
  readonly withRunners: Duration.Duration
  /** After `local_after`, this node skips the job for this long, so that another node can try it. */
  readonly skipFor: Duration.Duration
}>("@kinora/node/runners/local/LocalRetention", {
  defaultValue: () => ({
    withoutRunner: Duration.minutes(10),
    withRunners: Duration.days(1),
    skipFor: Duration.minutes(1)
  })
})

/** Runners that were silent for more seconds than this do not count. */
const seenWithin = 600
/** At most this many jobs are remembered as impossible for this node. */
const maxJobs = 1000

/** How a job is given back. `final`: without further tries. `prevented`: because this node lacks something for it. */
export interface End {
  readonly failed: boolean
  readonly final?: boolean
  readonly prevented?: boolean
  readonly words: string
}

/** Remembers which jobs this node cannot do. */
export const preventedJobs = Effect.gen(function* () {
  const after = Duration.fromInputUnsafe((yield* KinoraConfig).transcoding.remote_runners.local_after)
  const { skipFor, withRunners, withoutRunner } = yield* LocalRetention
  const runners = yield* RunnerRows
  /** When this node first and last tried the job. */
  const known = new Map<string, { readonly since: number; readonly last: number }>()

  /**
   * A job that this node cannot do is left to runners. If no known runner could do it, or none did within a day, it
   * fails with a message that says why. It can be retried.
   */
  const endOf = Effect.fnUntraced(function* (job: NodeRunnerJob, words: string): Effect.fn.Return<End> {
    const now = yield* Clock.currentTimeMillis
    const since = known.get(job.uuid)?.since ?? now
    known.delete(job.uuid)
    const includeUnspecified = publicRunnerJobTypes.some((type) => type === job.type)
    const others = yield* Effect.orElseSucceed(runners.anyDoes(job.type, seenWithin, includeUnspecified), () => true)
    const limit = others ? withRunners : withoutRunner
    if (now - since >= Duration.toMillis(limit)) {
      const waited = `No runner did it within ${Duration.format(limit)}`
      return { failed: true, final: true, words: `${waited}, and this node cannot: ${words}` }
    }
    if (known.size >= maxJobs) known.delete(known.keys().next().value!)
    known.set(job.uuid, { since, last: now })
    return { failed: false, prevented: true, words }
  })

  /**
   * Jobs that this node recently could not do. Otherwise the first of them would be claimed again and again and block
   * all others.
   */
  const leftToOthers = Effect.map(Clock.currentTimeMillis, (now) => {
    const millis = Duration.toMillis(Duration.sum(after, skipFor))
    return [...known].flatMap(([uuid, { last }]) => (now - last < millis ? [uuid] : []))
  })

  return { endOf, leftToOthers, forget: (uuid: string) => void known.delete(uuid) }
})
