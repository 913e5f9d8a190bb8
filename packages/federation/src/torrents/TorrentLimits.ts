import type { AddressMode } from "../fetch/AddressPolicy.ts"

/** Limits of what torrents may be. Sizes in bytes. */
export const torrentLimits = {
  torrent: 4 * 1024 * 1024,
  /** The info dictionary, where peers tell it (BEP 9). */
  metadata: 10 * 1024 * 1024,
  /** One piece; it is held in memory until it is verified. */
  piece: 32 * 1024 * 1024,
  pieces: 400_000,
  files: 10_000,
  trackers: 20,
  webSeeds: 4,
  /** Characters of a magnet address. */
  magnet: 16_384
} as const

/** How a download goes about it. Times in milliseconds. */
export interface TorrentOptions {
  /** Connections of one download, those that are being made included. Default 20. */
  readonly connections: number
  /** For the handshake of a peer, after its connection. Default 30,000. */
  readonly handshakeMillis: number
  /** A block was asked for and did not come: the peer is left. Default 30,000. */
  readonly snubMillis: number
  /** A peer lets nobody ask for anything: it is left while others wait. Default 120,000. */
  readonly chokedMillis: number
  /** No peer told what a magnet address stands for. Default 180,000. */
  readonly metadataMillis: number
  /** No piece was verified. Default 600,000. */
  readonly stalledMillis: number
  /** Before a tracker that failed is asked again, longer each time. Default 10,000. */
  readonly retryMillis: number
  /** Bytes of pieces in memory; one piece is always allowed. Default 64 MiB. */
  readonly memory: number
  /**
   * Nodes of the DHT (`host:port`) to begin with, for torrents that name neither trackers nor web seeds. None switches the
   * DHT off. Default three that are known to all clients; where the guard reaches loopback alone, none.
   */
  readonly dht: ReadonlyArray<string>
}

const dhtNodes = ["router.bittorrent.com:6881", "dht.transmissionbt.com:6881", "dht.libtorrent.org:25401"]

export const torrentOptions = (given: Partial<TorrentOptions>, addresses: AddressMode): TorrentOptions => ({
  connections: 20,
  handshakeMillis: 30_000,
  snubMillis: 30_000,
  chokedMillis: 120_000,
  metadataMillis: 180_000,
  stalledMillis: 600_000,
  retryMillis: 10_000,
  memory: 64 * 1024 * 1024,
  dht: addresses === "loopback" ? [] : dhtNodes,
  ...given
})
