import type { Effect } from "effect"

/** Facts from a torrent. Names are foreign data, without separators and control characters, and never used as paths. */
export interface TorrentFacts {
  readonly name: string
  /** SHA-1 of the info dictionary, 40 hex digits in lower case. */
  readonly infoHash: string
  readonly files: ReadonlyArray<{ readonly name: string; readonly size: number }>
}

export interface TorrentRequest {
  readonly source: { readonly magnet: string } | { readonly torrent: Uint8Array }
  /** Path of the file to create; it must not exist yet. */
  readonly file: string
  /** Maximum size of the video file. */
  readonly maxBytes: number
  /** Extensions with their dot, in lower case, of usable files. Default: those of video containers. */
  readonly extensions?: ReadonlyArray<string>
  /** Called at most once a second with the share that is verified and on disk, between 0 and 1. */
  readonly onProgress?: (fraction: number) => Effect.Effect<void>
}
