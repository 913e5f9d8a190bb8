/** What a player asks for in a playlist that is yet to come (RFC 8216bis §6.2.5). */
export interface DeliveryDirectives {
  /** `_HLS_msn`: a segment that the playlist has to have. */
  readonly segment: number | undefined
  /** `_HLS_part`: a part of that segment that will do. */
  readonly part: number | undefined
  /** `_HLS_skip`: segments that the player knows may be left out. */
  readonly skip: boolean
}

/** A media playlist for which players can wait. */
export interface BlockingPlaylist {
  readonly text: string
  /** The same without old segments. */
  readonly delta: string
  /** The number of the first segment that is not complete. */
  readonly segment: number
  /** How many parts of that segment are there. */
  readonly parts: number
  /** How many parts the segment before it has; 0 if they are not known. */
  readonly partsBefore: number
  /** Seconds. */
  readonly targetDuration: number
  /** Nothing follows. */
  readonly ended: boolean
}

const digits = /^\d{1,9}$/

const numberIn = (query: URLSearchParams, name: string): number | undefined | "invalid" => {
  const value = query.get(name)
  if (value === null) return undefined
  return digits.test(value) ? Number(value) : "invalid"
}

/** The directives in an address; undefined when they make no sense, and players are refused (RFC 8216bis §6.2.5.2). */
export const directivesOf = (url: string): DeliveryDirectives | undefined => {
  const start = url.indexOf("?")
  if (start === -1 || !url.includes("_HLS_", start)) return { segment: undefined, part: undefined, skip: false }
  const query = new URLSearchParams(url.slice(start + 1))
  const segment = numberIn(query, "_HLS_msn")
  const part = numberIn(query, "_HLS_part")
  if (segment === "invalid" || part === "invalid" || (part !== undefined && segment === undefined)) return undefined
  const skip = query.get("_HLS_skip")
  return { segment, part, skip: skip === "YES" || skip === "v2" }
}

/**
 * Whether a playlist has what is asked for. A part behind the last one of a complete segment is the first of the next
 * (RFC 8216bis §6.2.5.2).
 */
export const has = (playlist: BlockingPlaylist, asked: DeliveryDirectives): boolean => {
  const { ended, parts, partsBefore, segment } = playlist
  if (ended || asked.segment === undefined || asked.segment < segment - 1) return true
  if (asked.part === undefined) return asked.segment < segment
  if (asked.segment < segment) return asked.part < partsBefore || partsBefore === 0 || parts > 0
  return asked.segment === segment && asked.part < parts
}

/** Whether a request is for a time that is so far off that its player must be mistaken. */
export const isTooFar = ({ segment }: BlockingPlaylist, asked: DeliveryDirectives): boolean =>
  asked.segment !== undefined && asked.segment > segment + 1
