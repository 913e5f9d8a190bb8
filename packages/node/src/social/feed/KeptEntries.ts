import type { FeedVideoRow } from "@kinora/storage/social/feed/FeedVideos"
import type { VideoEntry } from "./FeedShape.ts"

/** An entry and what it was made of. */
export interface KeptEntry {
  readonly stamp: string
  readonly details: string
  /** The other columns of its row. */
  readonly rest: string
  readonly entry: VideoEntry
}

const restOf = (row: FeedVideoRow): string =>
  JSON.stringify([
    row.views,
    row.channelName,
    row.channelHandle,
    row.accountName,
    row.accountHandle,
    row.captions,
    row.chaptersByHand,
    row.hasChapters
  ])

/**
 * Entries of videos that were told of last, up to so many: the same objects as long as the rows they are made of say the
 * same. `known` are those there are before a reading; `made` is the entry of a row that was read then.
 */
export const keptEntries = (most: number, make: (row: FeedVideoRow, details: string) => VideoEntry) => {
  const kept = new Map<number, KeptEntry>()

  const keep = (id: number, entry: KeptEntry) => {
    kept.delete(id)
    kept.set(id, entry)
    const first = kept.keys().next()
    if (kept.size > most && first.done !== true) kept.delete(first.value)
  }

  return {
    known: (ids: ReadonlyArray<number>): ReadonlyMap<number, KeptEntry> => {
      const found = new Map<number, KeptEntry>()
      for (const id of ids) {
        const entry = kept.get(id)
        if (entry !== undefined) found.set(id, entry)
      }
      return found
    },
    made: (row: FeedVideoRow, known: KeptEntry | undefined): VideoEntry => {
      const rest = restOf(row)
      const isSame = row.details === null || row.details === known?.details
      if (known !== undefined && isSame && known.rest === rest) {
        if (row.stamp !== null) keep(row.id, { ...known, stamp: row.stamp })
        return known.entry
      }
      const details = row.details ?? known?.details
      if (details === undefined) throw new Error(`No details of video ${row.id}`)
      const entry = make(row, details)
      if (row.stamp !== null) keep(row.id, { stamp: row.stamp, details, rest, entry })
      return entry
    }
  }
}
