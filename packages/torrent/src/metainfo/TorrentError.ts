import { Schema } from "effect"

/** The torrent or the magnet address is broken, of a kind nobody here reads, or not what its hash promises. */
export class TorrentUnusable extends Schema.TaggedError<TorrentUnusable>()("TorrentUnusable", {
  why: Schema.Literals(["syntax", "version", "pieces", "names", "size"]),
  detail: Schema.String
}) {}

/** Not exactly one usable video file (contract: `incorrect_files_in_torrent`); `usable` says how many there are. */
export class TorrentFilesWrong extends Schema.TaggedError<TorrentFilesWrong>()("TorrentFilesWrong", {
  usable: Schema.Int
}) {}

/** The video file is larger than the caller takes. Sizes in bytes. */
export class TorrentTooLarge extends Schema.TaggedError<TorrentTooLarge>()("TorrentTooLarge", {
  size: Schema.Finite,
  maxBytes: Schema.Finite
}) {}

/**
 * Nobody gave what is missing: `sources`: none is named, or all of them failed; `metadata`: no peer sent what the magnet
 * address stands for; `pieces`: for too long no piece arrived. Trying again may do better.
 */
export class TorrentUnreachable extends Schema.TaggedError<TorrentUnreachable>()("TorrentUnreachable", {
  phase: Schema.Literals(["sources", "metadata", "pieces"])
}) {}

/** Every source the torrent names is refused: private addresses, other ports or schemes. */
export class TorrentRefused extends Schema.TaggedError<TorrentRefused>()("TorrentRefused", {
  detail: Schema.String
}) {}

/** The file could not be written here; it says nothing of the torrent. `code` is the system's. */
export class TorrentNotWritten extends Schema.TaggedError<TorrentNotWritten>()("TorrentNotWritten", {
  code: Schema.String
}) {}

export type TorrentError =
  | TorrentUnusable
  | TorrentFilesWrong
  | TorrentTooLarge
  | TorrentUnreachable
  | TorrentRefused
  | TorrentNotWritten
