import type { Effect } from "effect"
import type { BackupProblem, Manifest } from "./BackupFormat.ts"
import type { Digest } from "./HashedCopy.ts"

/** How a file is kept. */
export interface FileKind {
  /** Who may read a copy of it on disk. */
  readonly mode: number
  /** Whether it may grow while it is read. What was there at first is kept. */
  readonly grows: boolean
}

/** Names of the local files that a backup consists of besides those of the instance. */
export interface BackupParts {
  readonly database: string
  readonly list: string
}

/** Writes one backup. It is not whole before `finish`. */
export interface BackupWriter {
  /** For messages: the backup. */
  readonly address: string
  /** Folder on this machine for the dump, the list and other files that are written before they are kept. */
  readonly work: string
  /** The earlier backup that `reuse` takes files from; undefined: there is none. */
  readonly earlier: string | undefined
  /**
   * Takes a file that never changes from an earlier backup, without reading it; undefined where that has none. Only after
   * the hold on files of the instance was taken.
   */
  readonly reuse: (path: string) => Effect.Effect<Digest | undefined, BackupProblem>
  /** Keeps a copy of a local file. */
  readonly add: (path: string, from: string, kind: FileKind) => Effect.Effect<Digest, BackupProblem>
  readonly finish: (manifest: Manifest, parts: BackupParts) => Effect.Effect<void, BackupProblem>
  /** Removes all but the newest backups of the instance, this one included; names of those that went. */
  readonly keep: (count: number) => Effect.Effect<ReadonlyArray<string>, BackupProblem>
}

export interface WriterOptions {
  /** Whether files are taken from the newest earlier backup of the instance. */
  readonly incremental: boolean
  /** Whether `keep` is going to be called. */
  readonly keeps: boolean
}
