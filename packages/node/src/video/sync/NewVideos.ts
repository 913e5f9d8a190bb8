import type { ListedVideo } from "@kinora/media/ytdlp/ExternalVideo"

const day = 86_400_000

/** What a listing is compared with. */
export interface KnownBefore {
  /** When the synchronisation was created, in milliseconds since 1970. */
  readonly since: number
  /** This is the first check. */
  readonly isFirst: boolean
  /** Entries that no earlier check has seen. */
  readonly unseen: ReadonlySet<string>
  /** Whether the listing is complete, and not only its beginning. */
  readonly isWhole: boolean
}

/** Many sites give only the day, which counts as its first moment. */
const isSince = (publishedAt: number, since: number): boolean =>
  publishedAt >= since || (publishedAt % day === 0 && publishedAt + day > since)

/**
 * Entries of a listing that were published after the synchronisation was created, in the order of the listing. If it
 * has no dates, an unseen entry counts as new if a seen one follows it: most listings begin with the newest, and older
 * entries move up when others are removed. The first check only records what is there.
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
