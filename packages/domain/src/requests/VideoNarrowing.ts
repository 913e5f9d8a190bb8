/** What narrows a list down beyond its own filters. Instants are inclusive. */
export interface VideoNarrowing {
  readonly uuids?: ReadonlyArray<string> | undefined
  /** Addresses, as their instances give them. */
  readonly urls?: ReadonlyArray<string> | undefined
  /** Whether it is asked for by its own address or UUID: what is not listed is found by who knows these. */
  readonly addressed?: boolean | undefined
  /** Whether the languages of captions count as those of the video. */
  readonly captions?: boolean | undefined
  readonly startDate?: string | undefined
  readonly endDate?: string | undefined
  readonly originallyPublishedStartDate?: string | undefined
  readonly originallyPublishedEndDate?: string | undefined
  /** Seconds. */
  readonly durationMin?: number | undefined
  readonly durationMax?: number | undefined
  /** What is named by its address or UUID is found although nobody here follows it: the reader may look things up. */
  readonly lookedUp?: true | undefined
}
