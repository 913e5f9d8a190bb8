/** Timeouts, in milliseconds, and bounds of one download. */
export interface TorrentOptions {
  /** Connections of one download, those that are being made included. Default 20. */
  readonly connections: number
  /** For the handshake of a peer, after its connection. Default 30,000. */
  readonly handshakeMillis: number
  /** A block was asked for and did not come: the peer is left. Default 30,000. */
  readonly snubMillis: number
  /** A peer lets nobody ask for anything: it is left while others wait. Default 120,000. */
  readonly chokedMillis: number
  /** No peer sent the metadata of a magnet address. Default 180,000. */
  readonly metadataMillis: number
  /** No piece was verified. Default 600,000. */
  readonly stalledMillis: number
  /** Before a tracker that failed is asked again, longer each time. Default 10,000. */
  readonly retryMillis: number
  /** Bytes of pieces in memory; one piece is always allowed. Default 64 MiB. */
  readonly memory: number
  /**
   * Nodes of the DHT (`host:port`) to begin with, for torrents that name neither trackers nor web seeds. None switches the
   * DHT off. Default: three nodes that every client knows; none where the internet is out of reach.
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
