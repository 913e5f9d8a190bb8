/** Timeouts, in milliseconds, and limits of one download. */
export interface TorrentOptions {
  /** Connections of one download, including those being opened. Default 20. */
  readonly connections: number
  /** For the handshake of a peer, after its connection. Default 30,000. */
  readonly handshakeMillis: number
  /** If a requested block does not arrive in time, the peer is dropped. Default 30,000. */
  readonly snubMillis: number
  /** A peer that chokes us for this long is dropped if other peers wait. Default 120,000. */
  readonly chokedMillis: number
  /** Fails if no peer has sent the metadata of a magnet link. Default 180,000. */
  readonly metadataMillis: number
  /** Fails if no piece was verified for this long. Default 600,000. */
  readonly stalledMillis: number
  /** Delay before a failed tracker is asked again; it grows each time. Default 10,000. */
  readonly retryMillis: number
  /** Bytes of pieces in memory; one piece is always allowed. Default 64 MiB. */
  readonly memory: number
  /**
   * Bootstrap nodes of the DHT (`host:port`), for torrents with neither trackers nor web seeds. An empty list disables
   * the DHT. Default: three well-known nodes; none if the internet must not be reached.
   */
  readonly dht: ReadonlyArray<string>
}

const dhtNodes = ["router.bittorrent.com:6881", "dht.transmissionbt.com:6881", "dht.libtorrent.org:25401"]

export const torrentOptions = (given: Partial<TorrentOptions>, reachesInternet: boolean): TorrentOptions => ({
  connections: 20,
  handshakeMillis: 30_000,
  snubMillis: 30_000,
  chokedMillis: 120_000,
  metadataMillis: 180_000,
  stalledMillis: 600_000,
  retryMillis: 10_000,
  memory: 64 * 1024 * 1024,
  dht: reachesInternet ? dhtNodes : [],
  ...given
})
