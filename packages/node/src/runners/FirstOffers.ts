/** How long a job that one runner was told of first comes behind the others for the rest. */
const reservedMillis = 2000
/** Most jobs that are kept behind: however many runners ask, an answer looks at no more than these and those it tells of. */
const mostReserved = 200
/** How many jobs one request is told of (contract: availableJobs). */
const offered = 10

/** Numbers of jobs that are looked at: few, so that there are few statements. Many may ask before the first is told. */
const windows: ReadonlyArray<number> = [60, 110, offered + mostReserved]

interface Offered {
  readonly uuid: string
}

/** Forgets what is over, of what stands in the order of its end. */
const forget = (marks: Map<string, { readonly until: number }>, now: number): void => {
  for (const [uuid, { until }] of marks) {
    if (until > now) break
    marks.delete(uuid)
  }
}

/**
 * Which jobs runners have just been told of first. Runners take what stands first: were all told the same, those that ask
 * at once, as they do when the bell rings, would all try for one job, and all but one in vain. A hint of this node alone:
 * who holds a job is decided when it is accepted.
 */
export class FirstOffers {
  private readonly first = new Map<string, { readonly runnerId: number; readonly until: number }>()
  /** Jobs that somebody has just got: answers that were being looked up meanwhile have them still. */
  private readonly gone = new Map<string, { readonly until: number }>()

  /** Notes that somebody has got a job. */
  taken(uuid: string, now: number): void {
    forget(this.gone, now)
    this.first.delete(uuid)
    this.gone.delete(uuid)
    this.gone.set(uuid, { until: now + reservedMillis })
  }

  /** How many of the most urgent jobs to look at. */
  window(now: number): number {
    forget(this.first, now)
    return windows.find((size) => size >= offered + this.first.size) ?? windows.at(-1)!
  }

  /** Of jobs in their order, those to tell a runner of: what others were told of first comes last. */
  choose<A extends Offered>(jobs: ReadonlyArray<A>, runnerId: number, now: number): ReadonlyArray<A> {
    forget(this.gone, now)
    const isOthers = ({ uuid }: Offered) =>
      this.gone.has(uuid) || (this.first.get(uuid)?.runnerId ?? runnerId) !== runnerId
    const [free, others] = [jobs.filter((job) => !isOthers(job)), jobs.filter(isOthers)]
    const head = free[0]
    if (head !== undefined && this.first.size < mostReserved) {
      this.first.delete(head.uuid)
      this.first.set(head.uuid, { runnerId, until: now + reservedMillis })
    }
    return [...free, ...others].slice(0, offered)
  }
}
