import { publicRunnerJobTypes } from "@kinora/domain/enums/RunnerJobType"
import type { NodeRunnerJob } from "@kinora/storage/runner/NodeRunnerJobs"
import { RunnerRows } from "@kinora/storage/runner/RunnerRows"
import { Clock, Context, Duration, Effect } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"

/** How long a job that this node cannot do waits for a runner. */
export const LocalPatience = Context.Reference<{
  /** While none is heard of that may do it. */
  readonly lonely: Duration.Duration
  /** While there are some, which may be busy, or not able to do it either. */
  readonly helpless: Duration.Duration
  /** How much longer than `local_after` this node looks at other jobs alone: another node may be able to do it. */
  readonly aside: Duration.Duration
}>("@kinora/node/runners/local/LocalPatience", {
  defaultValue: () => ({ lonely: Duration.minutes(10), helpless: Duration.days(1), aside: Duration.minutes(1) })
})

/** Runners that were silent for longer are not counted on, seconds. */
const heardWithin = 600
/** Jobs of which it is remembered since when this node could not do them. */
const mostJobs = 1000

/** How a job is given back. `final`: without further tries; `prevented`: because of what this node lacks for it. */
export interface End {
  readonly failed: boolean
  readonly final?: boolean
  readonly prevented?: boolean
  readonly words: string
}

/** Remembers which jobs this node cannot do. */
export const preventedJobs = Effect.gen(function* () {
  const after = Duration.fromInputUnsafe((yield* KinoraConfig).transcoding.remote_runners.local_after)
  const { aside, helpless, lonely } = yield* LocalPatience
  const runners = yield* RunnerRows
  /** Since when, and when last. */
  const known = new Map<string, { readonly since: number; readonly last: number }>()

  /**
   * What this node cannot do is left to runners. Where none is heard of that may do it, or none did it in a day, it ends in
   * words that say why, and can be begun again.
   */
  const endOf = Effect.fnUntraced(function* (job: NodeRunnerJob, words: string): Effect.fn.Return<End> {
    const now = yield* Clock.currentTimeMillis
    const since = known.get(job.uuid)?.since ?? now
    known.delete(job.uuid)
    const untold = publicRunnerJobTypes.some((type) => type === job.type)
    const others = yield* Effect.orElseSucceed(runners.anyDoes(job.type, heardWithin, untold), () => true)
    const patience = others ? helpless : lonely
    if (now - since >= Duration.toMillis(patience)) {
      const waited = `No runner did it within ${Duration.format(patience)}`
      return { failed: true, final: true, words: `${waited}, and this node cannot: ${words}` }
    }
    if (known.size >= mostJobs) known.delete(known.keys().next().value!)
    known.set(job.uuid, { since, last: now })
    return { failed: false, prevented: true, words }
  })

  /** Jobs this node could not do a while ago: the first of them would come again and again, and keep it from all others. */
  const leftToOthers = Effect.map(Clock.currentTimeMillis, (now) => {
    const millis = Duration.toMillis(Duration.sum(after, aside))
    return [...known].flatMap(([uuid, { last }]) => (now - last < millis ? [uuid] : []))
  })

  return { endOf, leftToOthers, forget: (uuid: string) => void known.delete(uuid) }
})
