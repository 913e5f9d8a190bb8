/** Limits for torrents. Sizes in bytes. */
export const torrentLimits = {
  torrent: 4 * 1024 * 1024,
  /** The info dictionary, if peers send it (BEP 9). */
  metadata: 10 * 1024 * 1024,
  /** One piece. It is held in memory until it is verified. */
  piece: 32 * 1024 * 1024,
  pieces: 400_000,
  files: 10_000,
  trackers: 20,
  webSeeds: 4,
  /** Characters of a magnet link. */
  magnet: 16_384
} as const
