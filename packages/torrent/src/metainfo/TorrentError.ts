import { Schema } from "effect"

/** The torrent or magnet link is invalid, of an unsupported kind, or does not match its hash. */
export class TorrentUnusable extends Schema.TaggedError<TorrentUnusable>()("TorrentUnusable", {
  why: Schema.Literals(["syntax", "version", "pieces", "names", "size"]),
  detail: Schema.String
}) {}

/** Not exactly one usable video file (contract: `incorrect_files_in_torrent`); `usable` is their number. */
export class TorrentFilesWrong extends Schema.TaggedError<TorrentFilesWrong>()("TorrentFilesWrong", {
  usable: Schema.Int
}) {}

/** The video file is larger than the caller allows. Sizes in bytes. */
export class TorrentTooLarge extends Schema.TaggedError<TorrentTooLarge>()("TorrentTooLarge", {
  size: Schema.Finite,
  maxBytes: Schema.Finite
}) {}

/**
 * The data could not be obtained. `sources`: there are none, or all failed; `metadata`: no peer sent the metadata of
 * the magnet link; `pieces`: no piece arrived for too long. A retry may succeed.
 */
export class TorrentUnreachable extends Schema.TaggedError<TorrentUnreachable>()("TorrentUnreachable", {
  phase: Schema.Literals(["sources", "metadata", "pieces"])
}) {}

/** Every source of the torrent is refused: private addresses, or forbidden ports or schemes. */
export class TorrentRefused extends Schema.TaggedError<TorrentRefused>()("TorrentRefused", {
  detail: Schema.String
}) {}

/** The file could not be written on this machine, which says nothing about the torrent. `code` is the system's. */
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
