/** How long a job that one runner was told of first comes behind the others for the rest. */
const reservedMillis = 2000
/** Most jobs that are kept behind: however many runners ask, an answer looks at no more than these and those it tells of. */
const mostReserved = 200
/** How many jobs one request is told of (contract: availableJobs). */
const offered = 10

/** Numbers of jobs that are looked at: few, so that there are few statements. Many may ask before the first is told. */
const windows: ReadonlyArray<number> = [60, offered + mostReserved]

interface Offered {
  readonly uuid: string
}

/**
 * Which jobs runners have just been told of first. Runners take what stands first: were all told the same, those that ask
 * at once, as they do when the bell rings, would all try for one job, and all but one in vain. A hint of this node alone:
 * who holds a job is decided when it is accepted.
 */
export class FirstOffers {
  private readonly first = new Map<string, { readonly runnerId: number; readonly until: number }>()

  /** Notes that somebody has a job: it is told of no more. */
  taken(uuid: string): void {
    this.first.delete(uuid)
  }

  /** How many of the most urgent jobs to look at. */
  window(now: number): number {
    // In the order in which they were told.
    for (const [uuid, { until }] of this.first) {
      if (until > now) break
      this.first.delete(uuid)
    }
    return windows.find((size) => size >= offered + this.first.size) ?? windows.at(-1)!
  }

  /** Of jobs in their order, those to tell a runner of: what others were told of first comes last. */
  choose<A extends Offered>(jobs: ReadonlyArray<A>, runnerId: number, now: number): ReadonlyArray<A> {
    const isOthers = ({ uuid }: Offered) => (this.first.get(uuid)?.runnerId ?? runnerId) !== runnerId
    const [free, others] = [jobs.filter((job) => !isOthers(job)), jobs.filter(isOthers)]
    const head = free[0]
    if (head !== undefined && this.first.size < mostReserved) {
      this.first.delete(head.uuid)
      this.first.set(head.uuid, { runnerId, until: now + reservedMillis })
    }
    return [...free, ...others].slice(0, offered)
  }
}
