/** How long a job that one runner was told of first comes behind the others for the rest. */
const reservedMillis = 2000
/** Most jobs that are kept behind. */
const mostReserved = 200
/** How many jobs one request is told of (contract: availableJobs). */
const offered = 10

/** Numbers of jobs that are asked for: few, so that there are few statements. Many may ask before the first is told. */
const windows: ReadonlyArray<number> = [offered, 20, 60, 110, offered + mostReserved]

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
 * who holds a job is decided when it is accepted. Who asks is any text that is one runner's.
 */
export class FirstOffers {
  private readonly first = new Map<string, { readonly asker: string; readonly until: number }>()
  /** Jobs that somebody has just got: answers that were being looked up meanwhile have them still. */
  private readonly gone = new Map<string, { readonly until: number }>()
  /** Questions that are being looked up: each will take one of the jobs that all of them find. */
  private asking = 0

  /** Notes that somebody has got a job. */
  taken(uuid: string, now: number): void {
    forget(this.gone, now)
    this.first.delete(uuid)
    this.gone.delete(uuid)
    this.gone.set(uuid, { until: now + reservedMillis })
  }

  /** What to look up for who asks, until `answered`: how many jobs, and which come behind all others. */
  ask(asker: string, now: number): { readonly behind: ReadonlyArray<string>; readonly most: number } {
    forget(this.first, now)
    this.asking += 1
    const most = windows.find((size) => size >= offered - 1 + this.asking) ?? windows.at(-1)!
    const others = [...this.first].filter(([, mark]) => mark.asker !== asker)
    return { behind: others.map(([uuid]) => uuid), most }
  }

  /** A question was looked up, well or not. */
  answered(): void {
    this.asking -= 1
  }

  /** Of jobs in their order, those to tell a runner of: what others were told of first comes last. */
  choose<A extends Offered>(jobs: ReadonlyArray<A>, asker: string, now: number): ReadonlyArray<A> {
    forget(this.gone, now)
    const isOthers = ({ uuid }: Offered) => this.gone.has(uuid) || (this.first.get(uuid)?.asker ?? asker) !== asker
    const [free, others] = [jobs.filter((job) => !isOthers(job)), jobs.filter(isOthers)]
    const head = free[0]
    if (head !== undefined && this.first.size < mostReserved) {
      this.first.delete(head.uuid)
      this.first.set(head.uuid, { asker, until: now + reservedMillis })
    }
    return [...free, ...others].slice(0, offered)
  }
}
