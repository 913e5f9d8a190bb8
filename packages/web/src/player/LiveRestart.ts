/** What is read of a media playlist: its address, and the numbers and names of its segments. */
export interface Numbered {
  readonly url: string
  readonly endSN: number
  readonly fragments: ReadonlyArray<{ readonly sn: number | "initSegment"; readonly relurl?: string | undefined }>
}

/** Recognises a playlist that does not go on where the one before at its address ended, but begins anew. */
export const createRestartCheck = (): ((now: Numbered) => boolean) => {
  const before = new Map<string, Numbered>()
  return (now) => {
    const known = before.get(now.url)
    before.set(now.url, now)
    if (known === undefined) return false
    if (now.endSN < known.endSN) return true
    const names = new Map(known.fragments.map(({ relurl, sn }) => [sn, relurl]))
    return now.fragments.some(({ relurl, sn }) => names.has(sn) && names.get(sn) !== relurl)
  }
}
