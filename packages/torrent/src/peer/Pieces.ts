import { createHash } from "node:crypto"
import type { Metainfo, MetainfoFile } from "../metainfo/Metainfo.ts"
import { blockLength } from "./PeerFrames.ts"

/** A piece that somebody is fetching, into memory of its own. */
export interface Job {
  readonly piece: number
  readonly bytes: Uint8Array
  readonly startedAt: number
  /** Blocks nobody was asked for, the next one last. */
  readonly unasked: Array<number>
  /** Blocks that are missing. */
  readonly missing: Set<number>
}

/** What became of a piece that is whole. */
export type Verdict = "verified" | "wrong" | "late"

export interface Pieces {
  /** A piece to fetch that `has` says is there, or undefined. */
  readonly take: (has: (piece: number) => boolean, now: number) => Job | undefined
  /** Pieces in a row, of `bytes` at most or one; none when there are none. */
  readonly takeRow: (bytes: number, now: number) => ReadonlyArray<Job>
  /** Gives a piece back. */
  readonly release: (job: Job) => void
  /** Holds a whole piece against its hash, and gives it back. A verified one is handed on to be written. */
  readonly complete: (job: Job) => Verdict
  /** The memory of a written piece is free again. */
  readonly written: (piece: number) => void
  readonly isWanted: (piece: number) => boolean
  /** Whether one of the pieces that `has` names is missing. */
  readonly wantsOf: (has: (piece: number) => boolean) => boolean
  /** Whether somebody else has brought the piece meanwhile. */
  readonly isDone: (piece: number) => boolean
  /** Whether somebody went without because of the memory others hold; asking forgets it. */
  readonly starved: () => boolean
  readonly progress: () => { readonly written: number; readonly total: number }
}

const free = 0
const taken = 1
const done = 2

/** Milliseconds after which a piece may be asked of a second one, when there is no other left to ask for. */
const patienceMillis = 5_000
const maxFetchers = 3

/** Bookkeeping of the pieces that hold one file of a torrent. */
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
      const patient = [...fetchers].some((it) => now - it.startedAt < patienceMillis)
      if (!patient && fetchers.size < maxFetchers && state(piece) === taken && has(piece)) return start(piece, now)
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

/** Which bytes of a piece belong to the file, and where in it they are. */
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
