/** Milliseconds for which a job that was offered to one runner first comes last for the others. */
const reservedMillis = 2000
/** At most this many jobs are reserved at once. */
const maxReserved = 200
/** Jobs per answer (contract: availableJobs). */
const offered = 10

/**
 * Sizes of the query: only a few, so that there are few prepared statements. Many runners may ask before the first is
 * answered.
 */
const windows: ReadonlyArray<number> = [offered, 20, 60, 110, offered + maxReserved]

interface Offered {
  readonly uuid: string
}

/** Removes expired entries from a map that is in the order of expiry. */
const forget = (marks: Map<string, { readonly until: number }>, now: number): void => {
  for (const [uuid, { until }] of marks) {
    if (until > now) break
    marks.delete(uuid)
  }
}

/**
 * Which jobs were just offered to which runner. Runners take the first job of the list. If all got the same list,
 * runners that ask at once, as they do after a notification, would all try for one job, and all but one would fail.
 * This is only a hint within this node: who gets a job is decided when it is accepted. The asker is any text that
 * identifies one runner.
 */
export class OfferReservations {
  private readonly first = new Map<string, { readonly asker: string; readonly until: number }>()
  /** Jobs that were just taken. Queries that are still running may return them. */
  private readonly gone = new Map<string, { readonly until: number }>()
  /** Queries that are running: each will reserve one of the jobs that all of them find. */
  private asking = 0

  /** Notes that a runner took a job. */
  taken(uuid: string, now: number): void {
    forget(this.gone, now)
    this.first.delete(uuid)
    this.gone.delete(uuid)
    this.gone.set(uuid, { until: now + reservedMillis })
  }

  /** What to query for this asker, until `answered` is called: how many jobs, and which of them come last. */
  ask(asker: string, now: number): { readonly last: ReadonlyArray<string>; readonly max: number } {
    forget(this.first, now)
    this.asking += 1
    const max = windows.find((size) => size >= offered - 1 + this.asking) ?? windows.at(-1)!
    const others = [...this.first].filter(([, mark]) => mark.asker !== asker)
    return { last: others.map(([uuid]) => uuid), max }
  }

  /** A query ended, successfully or not. */
  answered(): void {
    this.asking -= 1
  }

  /** Chooses from jobs in their order which to offer to a runner. Jobs that were first offered to others come last. */
  choose<A extends Offered>(jobs: ReadonlyArray<A>, asker: string, now: number): ReadonlyArray<A> {
    forget(this.gone, now)
    const isOthers = ({ uuid }: Offered) => this.gone.has(uuid) || (this.first.get(uuid)?.asker ?? asker) !== asker
    const [free, others] = [jobs.filter((job) => !isOthers(job)), jobs.filter(isOthers)]
    const head = free[0]
    if (head !== undefined && this.first.size < maxReserved) {
      this.first.delete(head.uuid)
      this.first.set(head.uuid, { asker, until: now + reservedMillis })
    }
    return [...free, ...others].slice(0, offered)
  }
}
