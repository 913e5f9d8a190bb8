import { createHash } from "node:crypto"
import type { Metainfo, MetainfoFile } from "../metainfo/Metainfo.ts"
import { blockLength } from "./PeerFrames.ts"

/** A piece that a session is downloading, into its own memory. */
export interface Job {
  readonly piece: number
  readonly bytes: Uint8Array
  readonly startedAt: number
  /** Blocks that were not requested yet, the next one last. */
  readonly unasked: Array<number>
  /** Blocks that are missing. */
  readonly missing: Set<number>
}

/** Result for a complete piece. */
export type Verdict = "verified" | "wrong" | "late"

export interface Pieces {
  /** A piece to download that the peer has, according to `has`. Undefined if there is none. */
  readonly take: (has: (piece: number) => boolean, now: number) => Job | undefined
  /** Consecutive pieces, at most `bytes` or a single one. Empty if there are none. */
  readonly takeRow: (bytes: number, now: number) => ReadonlyArray<Job>
  /** Returns an unfinished piece. */
  readonly release: (job: Job) => void
  /** Checks a complete piece against its hash, and returns it. A verified one is passed on to be written. */
  readonly complete: (job: Job) => Verdict
  /** Frees the memory of a written piece. */
  readonly written: (piece: number) => void
  readonly isWanted: (piece: number) => boolean
  /** Whether any of the pieces that `has` names is missing. */
  readonly wantsOf: (has: (piece: number) => boolean) => boolean
  /** Whether another session has completed the piece meanwhile. */
  readonly isDone: (piece: number) => boolean
  /** Whether a session got no piece because of the memory that others use. Calling it resets the answer. */
  readonly starved: () => boolean
  readonly progress: () => { readonly written: number; readonly total: number }
}

const free = 0
const taken = 1
const done = 2

/** Milliseconds after which a piece may be requested a second time, if no other piece is left. */
const fetchTimeoutMillis = 5_000
const maxFetchers = 3

/** Tracks the pieces that contain one file of a torrent. */
export const makePieces = (
  info: Metainfo,
  file: MetainfoFile,
  memory: number,
  verified: (piece: number, bytes: Uint8Array) => void
): Pieces => {
  const first = Math.floor(file.offset / info.pieceLength)
  const last = Math.floor((file.offset + file.size - 1) / info.pieceLength)
  const total = last - first + 1
  const states = new Uint8Array(total)
  const jobs = new Map<number, Set<Job>>()
  let held = 0
  let lowest = first
  let written = 0
  let starved = false

  const state = (piece: number) => states[piece - first]
  const lengthOf = (piece: number) => Math.min(info.pieceLength, info.size - piece * info.pieceLength)

  const hasRoom = (): boolean => {
    const room = held === 0 || held + info.pieceLength <= memory
    starved ||= !room
    return room
  }

  const start = (piece: number, now: number): Job => {
    const bytes = new Uint8Array(lengthOf(piece))
    const blocks = Math.ceil(bytes.length / blockLength)
    const unasked = Array.from({ length: blocks }, (_, block) => blocks - 1 - block)
    const job = { piece, bytes, startedAt: now, unasked, missing: new Set(unasked) }
    const others = jobs.get(piece)
    if (others === undefined) jobs.set(piece, new Set([job]))
    else others.add(job)
    states[piece - first] = taken
    held += bytes.length
    return job
  }

  const settle = () => {
    while (lowest <= last && state(lowest) === done) lowest++
  }

  const take: Pieces["take"] = (has, now) => {
    if (!hasRoom()) return undefined
    for (let piece = lowest; piece <= last; piece++) {
      if (state(piece) === free && has(piece)) return start(piece, now)
    }
    for (const [piece, fetchers] of jobs) {
      const isFetching = [...fetchers].some((it) => now - it.startedAt < fetchTimeoutMillis)
      if (!isFetching && fetchers.size < maxFetchers && state(piece) === taken && has(piece)) return start(piece, now)
    }
    return undefined
  }

  const takeRow: Pieces["takeRow"] = (bytes, now) => {
    const head = take(() => true, now)
    if (head === undefined) return []
    const row = [head]
    for (let piece = head.piece + 1; piece <= last && state(piece) === free; piece++) {
      if ((row.length + 1) * info.pieceLength > bytes || !hasRoom()) break
      row.push(start(piece, now))
    }
    return row
  }

  const forget = (job: Job): boolean => {
    const fetchers = jobs.get(job.piece)
    if (fetchers?.delete(job) !== true) return false
    if (fetchers.size === 0) {
      jobs.delete(job.piece)
      if (state(job.piece) === taken) states[job.piece - first] = free
    }
    return true
  }

  const release: Pieces["release"] = (job) => {
    if (forget(job)) held -= job.bytes.length
  }

  const complete: Pieces["complete"] = (job) => {
    if (state(job.piece) === done) {
      release(job)
      return "late"
    }
    if (!createHash("sha1").update(job.bytes).digest().equals(info.hash(job.piece))) {
      release(job)
      return "wrong"
    }
    states[job.piece - first] = done
    forget(job)
    settle()
    verified(job.piece, job.bytes)
    return "verified"
  }

  return {
    take,
    takeRow,
    release,
    complete,
    written: (piece) => {
      held -= lengthOf(piece)
      written++
    },
    isWanted: (piece) => piece >= lowest && piece <= last && state(piece) !== done,
    wantsOf: (has) => {
      for (let piece = lowest; piece <= last; piece++) if (state(piece) !== done && has(piece)) return true
      return false
    },
    isDone: (piece) => state(piece) === done,
    starved: () => {
      const was = starved
      starved = false
      return was
    },
    progress: () => ({ written, total })
  }
}

/** Which bytes of a piece belong to the file, and their position in it. */
export const partOfFile = (
  info: Metainfo,
  file: MetainfoFile,
  piece: number,
  bytes: Uint8Array
): { readonly bytes: Uint8Array; readonly position: number } => {
  const start = piece * info.pieceLength
  const from = Math.max(start, file.offset)
  const to = Math.min(start + bytes.length, file.offset + file.size)
  return { bytes: bytes.subarray(from - start, to - start), position: from - file.offset }
}
