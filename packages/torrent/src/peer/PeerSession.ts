import type { Socket } from "node:net"
import { metadataExchange } from "./MetadataExchange.ts"
import { blockLength } from "./PeerFrames.ts"
import { connectWire } from "./PeerWire.ts"
import type { Job, Pieces } from "./Pieces.ts"
import type { TorrentOptions } from "../network/TorrentOptions.ts"

/** Why a session ended. `hostile` is for what nobody sends by accident. */
export type SessionEnd = "closed" | "slow" | "broken" | "hostile"

/** What a session needs from its download. */
export interface SessionHost {
  readonly infoHash: string
  readonly peerId: Uint8Array
  readonly options: TorrentOptions
  /** Milliseconds of a clock. */
  readonly now: () => number
  /** Undefined until the metadata is known. */
  readonly pieces: () => Pieces | undefined
  readonly reserveMetadata: (bytes: number) => boolean
  readonly releaseMetadata: (bytes: number) => void
  readonly metadata: (info: Uint8Array) => void
  /** Whether other peers wait for this slot. */
  readonly isAwaited: () => boolean
}

export interface Session {
  /** Requests what can be requested now. */
  readonly wake: () => void
  /** Checks for timeouts. Must be called about once a second. */
  readonly tick: (starved: boolean) => void
  /** Ends the session like any other end, reported to `ended`. */
  readonly leave: () => void
  /** Ends it without calling `ended`. */
  readonly close: () => void
  /** Whether a piece or the metadata came from this peer. */
  readonly wasUseful: () => boolean
}

const minInFlight = 16
const maxInFlight = 200
const maxRejects = 200
/** Bytes of blocks that were not requested, or are no longer needed. */
const maxUseless = 8 * 1024 * 1024
const keepAliveMillis = 60_000
/**
 * While other sessions lack memory, a piece must arrive at this rate: bytes per second, after this many milliseconds.
 */
const minRate = 8 * 1024
const graceMillis = 20_000

/**
 * A session with one peer, from the handshake on: gets the metadata if it is missing, and downloads pieces. Calls
 * `ended` once, unless it was closed by `close`. Nothing is uploaded: the peer stays choked, and its requests are
 * ignored.
 */
export const startSession = (socket: Socket, host: SessionHost, ended: (end: SessionEnd) => void): Session => {
  const { options } = host
  const beganAt = host.now()
  const jobs = new Set<Job>()
  let greeted = false
  let interested = false
  let useful = false
  let awaitsMetadata = false
  let reserved = 0
  let inFlight = 0
  let depth = minInFlight
  let rejects = 0
  let asked = 0
  let receivedBytes = 0
  let receivedAt = beganAt
  let usefulAt = beganAt
  let sentAt = beganAt
  let chokedAt = beganAt

  const abandon = () => {
    for (const job of jobs) host.pieces()?.release(job)
    jobs.clear()
    host.releaseMetadata(reserved)
    reserved = 0
    close()
  }
  let open = true
  const end = (why: SessionEnd) => {
    if (!open) return
    open = false
    abandon()
    ended(why)
  }
  const { wire, close } = connectWire(socket, (broken) => end(broken ? "broken" : "closed"))

  const has = (piece: number): boolean => wire.peerPieces.get(piece)

  const received = (pieces: Pieces, job: Job, block: number, bytes: Uint8Array) => {
    usefulAt = host.now()
    if (!jobs.has(job) || !job.missing.delete(block)) return
    job.bytes.set(bytes, block * blockLength)
    if (job.missing.size > 0) return
    jobs.delete(job)
    useful = true
    if (pieces.complete(job) === "wrong") end("hostile")
  }

  const ask = (pieces: Pieces, job: Job, block: number) => {
    const offset = block * blockLength
    const length = Math.min(blockLength, job.bytes.length - offset)
    if (inFlight === 0) receivedAt = host.now()
    inFlight++
    asked += length
    sentAt = host.now()
    wire.request(job.piece, offset, length, (error, bytes) => {
      inFlight--
      if (!open) return
      receivedAt = host.now()
      if (error !== null || bytes === null) {
        job.unasked.push(block)
        return
      }
      depth = Math.min(maxInFlight, depth + 1)
      received(pieces, job, block, bytes)
      wake()
    })
  }

  /** Pieces that others have completed meanwhile are no longer needed. */
  const dropDone = (pieces: Pieces) => {
    for (const job of jobs) {
      if (!pieces.isDone(job.piece)) continue
      jobs.delete(job)
      pieces.release(job)
    }
  }

  const nextJob = (pieces: Pieces): Job | undefined => {
    for (const job of jobs) if (job.unasked.length > 0) return job
    const job = pieces.take(has, host.now())
    if (job !== undefined) jobs.add(job)
    return job
  }

  const wake = () => {
    const pieces = host.pieces()
    if (!open || !greeted || pieces === undefined || wire.peerChoking) return
    // A request may be rejected at once, so each turn only requests as many as fit.
    for (let free = depth - inFlight; free > 0; free--) {
      const job = nextJob(pieces)
      const block = job?.unasked.pop()
      if (job === undefined || block === undefined) return
      ask(pieces, job, block)
    }
  }

  const showInterest = () => {
    const pieces = host.pieces()
    if (interested || !greeted || pieces === undefined) return
    interested = pieces.wantsOf(has)
    if (interested) wire.interested()
  }

  wire.on("handshake", (infoHash: string, _peerId: string, extensions: { readonly extended: boolean }) => {
    if (infoHash !== host.infoHash) return end("hostile")
    if (awaitsMetadata && !extensions.extended) return end("closed")
    greeted = true
    usefulAt = host.now()
    receivedAt = usefulAt
  })
  wire.on("bitfield", showInterest)
  wire.on("have-all", showInterest)
  wire.on("have", (piece: number) => {
    if (!interested && host.pieces()?.isWanted(piece) === true) showInterest()
  })
  wire.on("unchoke", wake)
  wire.on("choke", () => {
    chokedAt = host.now()
  })
  wire.on("reject", () => {
    if (++rejects > maxRejects) end("broken")
    else wake()
  })
  wire.on("download", (bytes: number) => {
    receivedBytes += bytes
    if (receivedBytes - asked > maxUseless) end("broken")
  })

  if (host.pieces() === undefined) {
    awaitsMetadata = true
    wire.use(
      metadataExchange(host.infoHash, {
        reserve: (bytes) => {
          if (!host.reserveMetadata(bytes)) return false
          reserved = bytes
          return true
        },
        progressed: () => {
          receivedAt = host.now()
        },
        received: (info) => {
          awaitsMetadata = false
          useful = true
          host.metadata(info)
        },
        none: () => {
          if (host.pieces() === undefined) end("closed")
        }
      })
    )
  }
  wire.handshake(host.infoHash, host.peerId, { fast: true })

  return {
    wake: () => {
      if (!open) return
      showInterest()
      wake()
    },
    tick: (starved) => {
      const pieces = host.pieces()
      const now = host.now()
      if (!open) return
      if (!greeted) {
        if (now - beganAt > options.handshakeMillis) end("slow")
        return
      }
      if (pieces === undefined) {
        if (now - receivedAt > options.snubMillis) end("slow")
        return
      }
      dropDone(pieces)
      const tooSlow = [...jobs].some((job) => {
        const age = now - job.startedAt
        const bytes = job.bytes.length - job.missing.size * blockLength
        return age > graceMillis && bytes < (age / 1_000) * minRate
      })
      if (inFlight > 0 && now - receivedAt > options.snubMillis) return end("slow")
      if (starved && tooSlow) return end("slow")
      // Choked with a piece in progress: others may download it.
      if (wire.peerChoking && now - chokedAt > options.snubMillis) {
        for (const job of jobs) pieces.release(job)
        jobs.clear()
      }
      if (now - usefulAt > options.chokedMillis && host.isAwaited()) return end("slow")
      if (now - sentAt > keepAliveMillis) {
        sentAt = now
        wire.keepAlive()
      }
      showInterest()
      wake()
    },
    leave: () => end("closed"),
    close: () => {
      if (!open) return
      open = false
      abandon()
    },
    wasUseful: () => useful
  }
}
