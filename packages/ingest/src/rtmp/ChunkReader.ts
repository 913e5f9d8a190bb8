import { type BasicHeader, extendedFrom, firstChunkSize, longestHeader, readBasicHeader } from "./ChunkHeader.ts"
import { ChunkStream } from "./ChunkStream.ts"
import { messageType, type ReceivedMessage } from "./Messages.ts"
import { RtmpViolation } from "./RtmpViolation.ts"

const none = Buffer.alloc(0)
const largestChunkSize = 1024 * 1024
const maxChunkStreams = 64

/**
 * Puts messages together from the chunks of a byte stream (RTMP 5.3), however its bytes arrive. Set Chunk Size and Abort
 * are applied here. Each payload is copied once, into memory that belongs to the message. Throws `RtmpViolation`.
 */
export class ChunkReader {
  /** Bound of all unfinished messages together. */
  maxPending: number
  #pending = 0
  #chunkSize = firstChunkSize
  readonly #streams = new Map<number, ChunkStream>()
  #input: Buffer = none
  #at = 0
  /** An incomplete header at the end of the input before. */
  readonly #carry = Buffer.alloc(longestHeader)
  #carried = 0
  /** The stream whose chunk is being read, and how much of it is missing. */
  #current: ChunkStream | undefined
  #missing = 0

  constructor(maxPending: number) {
    this.maxPending = maxPending
  }

  /** Takes bytes. Only after `next` has returned undefined. */
  push(bytes: Buffer): void {
    this.#input = bytes
    this.#at = 0
  }

  /** The next complete message; undefined when more bytes are needed. */
  next(): ReceivedMessage | undefined {
    for (;;) {
      if (this.#current === undefined && !this.#header()) return undefined
      const stream = this.#current as ChunkStream
      const payload = stream.payload as Buffer
      const count = Math.min(this.#missing, this.#input.length - this.#at)
      this.#input.copy(payload, stream.filled, this.#at, this.#at + count)
      this.#at += count
      stream.filled += count
      this.#missing -= count
      if (this.#missing > 0) return this.#exhausted()
      this.#current = undefined
      if (stream.filled < stream.length) continue
      const message = this.#complete(stream, payload)
      if (message !== undefined) return message
    }
  }

  #exhausted(): undefined {
    // The bytes of a read are not kept alive between reads.
    this.#input = none
    this.#at = 0
  }

  /** Reads a chunk header, from the input or from what was carried over and the input. False: it is incomplete. */
  #header(): boolean {
    if (this.#carried === 0) {
      const length = this.#open(this.#input, this.#at, this.#input.length)
      if (length > 0) {
        this.#at += length
        return true
      }
      this.#carried = this.#input.copy(this.#carry, 0, this.#at)
      this.#exhausted()
      return false
    }
    while (this.#at < this.#input.length) {
      this.#carry[this.#carried++] = this.#input[this.#at++] as number
      const length = this.#open(this.#carry, 0, this.#carried)
      if (length > 0) {
        // What stands behind the header was only needed to see whether it has an extended timestamp.
        const spare = this.#carried - length
        if (spare > 0) this.#unread(this.#carry.subarray(length, this.#carried))
        this.#carried = 0
        return true
      }
    }
    this.#exhausted()
    return false
  }

  #unread(bytes: Buffer): void {
    this.#input = Buffer.concat([bytes, this.#input.subarray(this.#at)])
    this.#at = 0
  }

  /** Begins the chunk whose header is here, and returns the length of the header; 0 while it is incomplete. */
  #open(bytes: Buffer, at: number, end: number): number {
    const basic = readBasicHeader(bytes, at, end)
    if (basic === undefined) return 0
    const fixed = basic.length + basic.messageLength
    if (at + fixed > end) return 0
    const stream = this.#streamOf(basic)
    const fields = at + basic.length
    const field = basic.format === 3 ? undefined : bytes.readUIntBE(fields, 3)
    const extended = field === undefined ? stream.extended : field === extendedFrom
    if (extended && at + fixed + 4 > end) return 0
    let length = fixed
    let value = field ?? stream.extendedValue
    if (extended) {
      const behind = bytes.readUInt32BE(at + fixed)
      // Some encoders leave it out in the chunks that continue a message: then payload stands here.
      const isThere = basic.format !== 3 || stream.payload === undefined || behind === stream.extendedValue
      if (isThere) {
        value = behind
        length += 4
      }
    }
    if (stream.payload === undefined) this.#begin(stream, basic.format, bytes, fields, value, extended)
    else if (basic.format !== 3) throw new RtmpViolation("a message begins within another")
    this.#current = stream
    this.#missing = Math.min(this.#chunkSize, stream.length - stream.filled)
    return length
  }

  #streamOf({ chunkStreamId, format }: BasicHeader): ChunkStream {
    const known = this.#streams.get(chunkStreamId)
    if (known !== undefined) return known
    if (format !== 0) throw new RtmpViolation(`chunk stream ${chunkStreamId} begins without a full header`)
    if (this.#streams.size >= maxChunkStreams) throw new RtmpViolation("too many chunk streams")
    const stream = new ChunkStream()
    this.#streams.set(chunkStreamId, stream)
    return stream
  }

  /** Begins a message: what the header leaves out is that of the message before. */
  #begin(stream: ChunkStream, format: number, bytes: Buffer, at: number, value: number, extended: boolean): void {
    if (format < 2) {
      stream.length = bytes.readUIntBE(at + 3, 3)
      stream.type = bytes[at + 6] as number
    }
    if (format === 0) stream.streamId = bytes.readUInt32LE(at + 7)
    stream.extended = extended
    stream.extendedValue = value
    // After a full header, format 3 repeats its timestamp as the difference (RTMP 5.3.1.2.4).
    stream.delta = value
    stream.timestamp = format === 0 ? value : (stream.timestamp + stream.delta) >>> 0
    if (this.#pending + stream.length > this.maxPending) throw new RtmpViolation(`a message of ${stream.length} bytes`)
    this.#pending += stream.length
    stream.payload = Buffer.allocUnsafe(stream.length)
    stream.filled = 0
  }

  #complete(stream: ChunkStream, payload: Buffer): ReceivedMessage | undefined {
    this.#drop(stream)
    const { type, streamId, timestamp } = stream
    if (type === messageType.setChunkSize) return this.#resize(payload)
    if (type === messageType.abort) return this.#abort(payload)
    return { type, streamId, timestamp, payload }
  }

  #drop(stream: ChunkStream): void {
    this.#pending -= stream.length
    stream.payload = undefined
  }

  #resize(payload: Buffer): undefined {
    const size = payload.length < 4 ? 0 : payload.readUInt32BE(0)
    if (size < 1 || size > largestChunkSize) throw new RtmpViolation(`chunk size ${size}`)
    this.#chunkSize = size
  }

  #abort(payload: Buffer): undefined {
    if (payload.length < 4) throw new RtmpViolation("an abort of nothing")
    const stream = this.#streams.get(payload.readUInt32BE(0))
    if (stream?.payload !== undefined) this.#drop(stream)
  }
}
