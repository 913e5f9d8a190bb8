/** What became of one kind of act. Times are milliseconds, in the order in which they ended. */
export interface KindTally {
  readonly kind: string
  readonly count: number
  readonly errors: number
  readonly times: ReadonlyArray<number>
}

const kept = 100

/** Counts acts by kind, with their times and the first errors. */
export class Tally {
  private readonly kinds = new Map<string, { errors: number; times: Array<number> }>()
  /** The first hundred errors, with the kind of the act. */
  readonly errors: Array<string> = []
  private failed = 0
  private readonly hear: (error: string) => void

  /** `hear` hears of the first errors as they come. */
  constructor(hear: (error: string) => void = () => {}) {
    this.hear = hear
  }

  /** Runs an act and notes its end; its error is noted and goes no further. */
  async of(kind: string, act: () => Promise<void>): Promise<void> {
    const from = performance.now()
    try {
      await act()
      this.kindOf(kind).times.push(performance.now() - from)
    } catch (error) {
      this.fail(kind, error)
    }
  }

  fail(kind: string, error: unknown): void {
    this.kindOf(kind).errors += 1
    this.failed += 1
    if (this.errors.length >= kept) return
    this.errors.push(`${kind}: ${reasonOf(error)}`)
    this.hear(this.errors.at(-1)!)
  }

  get errorCount() {
    return this.failed
  }

  get all(): ReadonlyArray<KindTally> {
    return [...this.kinds]
      .map(([kind, { errors, times }]) => ({ kind, errors, times, count: times.length + errors }))
      .toSorted((a, b) => a.kind.localeCompare(b.kind))
  }

  private kindOf(kind: string) {
    const known = this.kinds.get(kind) ?? { errors: 0, times: [] }
    this.kinds.set(kind, known)
    return known
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error
    ? `${error.message}${error.cause instanceof Error ? ` (${error.cause.message})` : ""}`
    : String(error)
