/** What narrows a list down beyond its own filters. Instants are inclusive. */
export interface VideoNarrowing {
  readonly uuids?: ReadonlyArray<string> | undefined
  /** Addresses, as their instances give them. */
  readonly urls?: ReadonlyArray<string> | undefined
  readonly startDate?: string | undefined
  readonly endDate?: string | undefined
  readonly originallyPublishedStartDate?: string | undefined
  readonly originallyPublishedEndDate?: string | undefined
  /** Seconds. */
  readonly durationMin?: number | undefined
  readonly durationMax?: number | undefined
}
