/** Holds an answer back, so that it takes no more than its share of the line. */
export interface Pace {
  /** Bytes to send at a time at most: what is sent at once cannot be slowed down. */
  readonly chunk: number
  /** Milliseconds to wait before so many bytes are sent. They are counted as sent from now on. */
  readonly take: (bytes: number) => number
}
