/** What a page elsewhere says of its video: all of it untrusted, cleaned of control characters and cut. */
export interface ExternalVideo {
  /** Address of the page as the page itself has it; https or http, at most 2,000 characters. */
  readonly url: string
  /** 1 to 120 characters on one line; undefined when the page has none. */
  readonly title: string | undefined
  /** At most 10,000 characters. */
  readonly description: string | undefined
  /** At most five, each of 2 to 30 characters, no two the same. */
  readonly tags: ReadonlyArray<string>
  /** As the site names it, lower case: `en`, `pt-br`. */
  readonly language: string | undefined
  /** In the site's words. */
  readonly licence: string | undefined
  /** In the site's words. */
  readonly category: string | undefined
  /** Whether the site keeps it for adults. */
  readonly nsfw: boolean
  /** https alone; at most 4,000 characters. */
  readonly thumbnailUrl: string | undefined
  /** Milliseconds since 1970, to the day when the site is no more precise; never before that nor in a year with five digits. */
  readonly publishedAt: number | undefined
  /** Seconds. */
  readonly duration: number | undefined
  /** At most 200, in order, each title 1 to 100 characters; `start` in seconds. */
  readonly chapters: ReadonlyArray<{ readonly title: string; readonly start: number }>
  /** Live now, or still to come. */
  readonly isLive: boolean
}

/** A video that a channel, playlist or feed lists. */
export interface ListedVideo {
  /** https or http, at most 2,000 characters. */
  readonly url: string
  /** Milliseconds since 1970; many lists do not say. */
  readonly publishedAt: number | undefined
}
