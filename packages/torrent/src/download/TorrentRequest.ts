import type { Effect } from "effect"

/** What a torrent says of itself. Names are data of others, without separators and control characters: never a path. */
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
  /** Most bytes of the video file. */
  readonly maxBytes: number
  /** Extensions with their dot, in lower case, that make a file usable. Default those of video containers. */
  readonly extensions?: ReadonlyArray<string>
  /** Called at most once a second with the share, between 0 and 1, is verified and on disk. */
  readonly onProgress?: (fraction: number) => Effect.Effect<void>
}
