import { percentEncoded } from "../../platform/database/PercentEncoding.ts"

/** A file of a video that has a torrent. */
export interface MagnetParts {
  /** Name of the video, which clients show. */
  readonly name: string
  readonly torrentUrl: string
  /** In hexadecimal digits. */
  readonly infoHash: string
  readonly trackers: ReadonlyArray<string>
  /** Where the file is served over HTTP (BEP 19). */
  readonly fileUrl: string
}

/** The magnet link of a file (BEP 9), with its torrent as exact source and its address as web seed. */
export const magnetUri = ({ fileUrl, infoHash, name, torrentUrl, trackers }: MagnetParts): string => {
  const announce = trackers.map((tracker) => `&tr=${percentEncoded(tracker)}`).join("")
  const title = percentEncoded(name).replaceAll("%20", "+")
  return `magnet:?xs=${percentEncoded(torrentUrl)}&xt=urn:btih:${infoHash}&dn=${title}${announce}&ws=${percentEncoded(fileUrl)}`
}

/** Trackers of torrents of this instance: over HTTP and over a WebSocket. */
export const localTrackers = (origin: string): readonly [http: string, socket: string] => [
  `${origin}/tracker/announce`,
  `${origin.replace(/^http/, "ws")}/tracker/socket`
]
