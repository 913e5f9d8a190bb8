/** What is read of a media playlist: its address, and the numbers and names of its segments. */
export interface Numbered {
  readonly url: string
  readonly endSN: number
  readonly fragments: ReadonlyArray<{ readonly sn: number | "initSegment"; readonly relurl?: string | undefined }>
}

/** The address of a playlist without what a request asked to be in it (RFC 8216bis §6.2.5). */
export const withoutDirectives = (url: string): string => {
  const [path, query] = url.split("?", 2)
  const kept = (query ?? "").split("&").filter((it) => it !== "" && !it.startsWith("_HLS_"))
  return kept.length === 0 ? path! : `${path}?${kept.join("&")}`
}

/** Recognises a playlist that does not go on where the one before at its address ended, but begins anew. */
export const createRestartCheck = (): ((now: Numbered) => boolean) => {
  const before = new Map<string, Numbered>()
  return (now) => {
    const url = withoutDirectives(now.url)
    const known = before.get(url)
    before.set(url, now)
    if (known === undefined) return false
    if (now.endSN < known.endSN) return true
    const names = new Map(known.fragments.map(({ relurl, sn }) => [sn, relurl]))
    return now.fragments.some(({ relurl, sn }) => names.has(sn) && names.get(sn) !== relurl)
  }
}
