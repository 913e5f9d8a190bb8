/** Activities whose repetitions are known without asking the table. */
const most = 20_000

/** The last activities that were kept, by id and the bytes they last had; the oldest are forgotten first. */
export const recentActivities = () => {
  const seen = new Map<string, string>()
  return {
    has: (uri: string, digest: string) => seen.get(uri) === digest,
    add: (uri: string, digest: string) => {
      seen.delete(uri)
      if (seen.size >= most) seen.delete(seen.keys().next().value!)
      seen.set(uri, digest)
    },
    forget: (uri: string) => void seen.delete(uri)
  }
}

/** Signatures that are remembered, and milliseconds for which they could be used again (contract: signatures, Date window). */
const mostSignatures = 100_000
const usableFor = 3_600_000

/**
 * Signatures of what was kept: the very same request once more is no repetition its sender made, who signs each time anew. It
 * would have an activity that was taken back count again.
 */
export const recentSignatures = () => {
  const seen = new Map<string, number>()
  return {
    has: (signature: string) => seen.has(signature),
    add: (signature: string, now: number) => {
      for (const [first, at] of seen) {
        if (seen.size < mostSignatures && at > now - usableFor) break
        seen.delete(first)
      }
      seen.set(signature, now)
    }
  }
}
