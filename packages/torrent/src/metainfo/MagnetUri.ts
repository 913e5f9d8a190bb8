/** The contents of a magnet address. All addresses are absolute. */
export interface MagnetOptions {
  readonly infoHash: string
  readonly name: string
  readonly announce: ReadonlyArray<string>
  readonly webSeeds: ReadonlyArray<string>
  /** Where the torrent file itself is. */
  readonly exactSources: ReadonlyArray<string>
}

/** `encodeURIComponent`, with blanks as clients write them in `dn`. */
const field = (key: string, value: string): string => `${key}=${encodeURIComponent(value).replaceAll("%20", "+")}`

/**
 * A magnet address (BEP 9) in the order clients of the contract know: `xs`, `xt`, `dn`, `tr`, `ws`. (contract/samples/video.txt)
 */
export const magnetUri = (options: MagnetOptions): string =>
  `magnet:?${[
    ...options.exactSources.map((address) => field("xs", address)),
    `xt=urn:btih:${options.infoHash}`,
    field("dn", options.name),
    ...options.announce.map((address) => field("tr", address)),
    ...options.webSeeds.map((address) => field("ws", address))
  ].join("&")}`
