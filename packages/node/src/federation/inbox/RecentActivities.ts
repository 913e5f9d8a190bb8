import { makeRecent } from "@kinora/federation/authority/Recent"

/** Activities whose repetitions are known without asking the table, at least. */
const least = 10_000

/** The last activities that were kept, by id and the bytes they last had; the oldest are forgotten first. */
export const recentActivities = () => {
  const seen = makeRecent<string, string>(least)
  const deleted = makeRecent<string, true>(least)
  return {
    /** Not of what was deleted: whether that was before or after is in the table. */
    has: (uri: string, digest: string, object: string | null) =>
      seen.get(uri) === digest && (object === null || deleted.get(object) === undefined),
    add: (uri: string, digest: string) => seen.set(uri, digest),
    forget: (uri: string) => seen.delete(uri),
    /** What is about it may come again as it was. */
    addDeleted: (object: string) => deleted.set(object, true)
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
