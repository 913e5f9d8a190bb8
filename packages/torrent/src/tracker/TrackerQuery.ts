import { torrentsPerScrape } from "./TrackerLimits.ts"

/** An announce over HTTP (BEP 3). The client's claims about its own address are ignored. */
export interface HttpAnnounce {
  /** 40 hexadecimal digits each. */
  readonly infoHash: string
  readonly peerId: string
  readonly port: number
  /** Bytes the client still lacks, if given. */
  readonly left: number | undefined
  readonly wanted: number
  readonly event: "started" | "stopped" | "completed" | "paused" | undefined
}

const usualPeers = 50
const maxPeers = 82

const events = ["started", "stopped", "completed", "paused"] as const

/** Whether each character of the text stands for one byte (U+0000 to U+00FF). */
export const isBytes = (text: string): boolean => Buffer.from(text, "latin1").toString("latin1") === text

/** Twenty percent-encoded bytes, as hexadecimal digits. */
const hash = (encoded: string): string | undefined => {
  if (encoded.length > 60) return undefined
  const raw = encoded
    .replaceAll("+", " ")
    .replaceAll(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
  return raw.length === 20 && isBytes(raw) ? Buffer.from(raw, "latin1").toString("hex") : undefined
}

/** The raw values of each parameter; the first of a repeated one. */
const parametersOf = (url: string): ReadonlyArray<readonly [name: string, value: string]> => {
  const start = url.indexOf("?")
  if (start === -1) return []
  return url
    .slice(start + 1)
    .split("&")
    .map((pair) => {
      const equals = pair.indexOf("=")
      return equals === -1 ? ([pair, ""] as const) : ([pair.slice(0, equals), pair.slice(equals + 1)] as const)
    })
}

const digits = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,16}$/.test(text) ? Number(text) : undefined

/** Parses an announce. A text says what is wrong with it. */
export const readAnnounce = (url: string): HttpAnnounce | string => {
  const parameters = new Map(parametersOf(url).toReversed())
  const infoHash = hash(parameters.get("info_hash") ?? "")
  if (infoHash === undefined) return "invalid info_hash"
  const peerId = hash(parameters.get("peer_id") ?? "")
  if (peerId === undefined) return "invalid peer_id"
  const port = digits(parameters.get("port")) ?? 0
  if (port < 1 || port > 65_535) return "invalid port"
  const said = parameters.get("event") ?? ""
  const event = events.find((known) => known === said)
  if (event === undefined && said !== "" && said !== "empty" && said !== "update") return "invalid event"
  return {
    infoHash,
    peerId,
    port,
    event,
    left: digits(parameters.get("left")),
    wanted: Math.min(digits(parameters.get("numwant")) ?? usualPeers, maxPeers)
  }
}

/** Parses the torrents of a scrape. A text says what is wrong. */
export const readScrape = (url: string): ReadonlyArray<string> | string => {
  const asked = parametersOf(url).flatMap(([name, value]) => (name === "info_hash" ? [hash(value)] : []))
  if (asked.length === 0) return "info_hash is missing"
  if (asked.length > torrentsPerScrape) return "too many info_hash"
  const known = asked.filter((infoHash) => infoHash !== undefined)
  return known.length === asked.length ? [...new Set(known)] : "invalid info_hash"
}

const percent = (digits: string): string => digits.replaceAll(/../g, "%$&")

/** The announce for the tracker library, with only validated fields, and compact peers (BEP 23). */
export const cleanQuery = (announce: HttpAnnounce): string =>
  [
    `/announce?info_hash=${percent(announce.infoHash)}&peer_id=${percent(announce.peerId)}&port=${announce.port}`,
    // The library takes 0 for "not given", and returns no peers for less than 0.
    `compact=1&numwant=${announce.wanted === 0 ? -1 : announce.wanted}`,
    ...(announce.left === undefined ? [] : [`left=${announce.left}`]),
    ...(announce.event === undefined ? [] : [`event=${announce.event}`])
  ].join("&")
