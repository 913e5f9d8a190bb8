import type { ListedVideo } from "@kinora/media/ytdlp/ExternalVideo"

const day = 86_400_000

/** What a look compares a list with. */
export interface KnownBefore {
  /** Milliseconds since 1970: when the synchronisation was set up. */
  readonly since: number
  /** Nothing was looked at before. */
  readonly isFirst: boolean
  /** Entries that no look has seen. */
  readonly unseen: ReadonlySet<string>
  /** Whether the list is all there is, and not its beginning. */
  readonly isWhole: boolean
}

/** Many sites tell the day alone, which is its first moment. */
const isSince = (publishedAt: number, since: number): boolean =>
  publishedAt >= since || (publishedAt % day === 0 && publishedAt + day > since)

/**
 * Those entries of a list that were published after the synchronisation was set up, in the order of the list. Where it
 * tells no dates, what no look has seen is new if something follows it that one has: most lists begin with the newest, and
 * older ones move up when others are removed. The first look remembers what there is.
 */
export const newVideos = (
  listed: ReadonlyArray<ListedVideo>,
  { isFirst, isWhole, since, unseen }: KnownBefore
): ReadonlyArray<ListedVideo> => {
  const lastSeen = listed.findLastIndex(({ url }) => !unseen.has(url))
  const noneSeen = lastSeen === -1
  return listed.filter(({ publishedAt, url }, index) => {
    if (!unseen.has(url)) return false
    if (publishedAt !== undefined) return isSince(publishedAt, since)
    return !isFirst && (isWhole || noneSeen || index < lastSeen)
  })
}
