/** What an external page says about its video: untrusted, without control characters, and shortened. */
export interface ExternalVideo {
  /** URL of the page as the page itself gives it; https or http, at most 2,000 characters. */
  readonly url: string
  /** 1 to 120 characters on one line. Undefined if the page has none. */
  readonly title: string | undefined
  /** At most 10,000 characters. */
  readonly description: string | undefined
  /** At most five, each of 2 to 30 characters, without duplicates. */
  readonly tags: ReadonlyArray<string>
  /** As the site names it, in lower case: `en`, `pt-br`. */
  readonly language: string | undefined
  /** As the site names it. */
  readonly licence: string | undefined
  /** As the site names it. */
  readonly category: string | undefined
  /** Whether the site marks it as adult content. */
  readonly nsfw: boolean
  /** https only; at most 4,000 characters. */
  readonly thumbnailUrl: string | undefined
  /**
   * Milliseconds since 1970, or the start of the day if the site is no more precise. Never before 1970 nor in a year
   * with five digits.
   */
  readonly publishedAt: number | undefined
  /** Seconds. */
  readonly duration: number | undefined
  /** At most 200, in order, each title 1 to 100 characters; `start` in seconds. */
  readonly chapters: ReadonlyArray<{ readonly title: string; readonly start: number }>
  /** Live now, or scheduled. */
  readonly isLive: boolean
}

/** A video in the list of a channel, playlist or feed. */
export interface ListedVideo {
  /** https or http, at most 2,000 characters. */
  readonly url: string
  /** Milliseconds since 1970. Many lists do not give it. */
  readonly publishedAt: number | undefined
}
