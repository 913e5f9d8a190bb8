import { Effect } from "effect"
import { firstChunkSize } from "./ChunkHeader.ts"
import { ChunkReader } from "./ChunkReader.ts"
import { encodeChunks, outgoingChunkSize } from "./ChunkWriter.ts"
import { type ConnectionEnded, lost, malformed } from "./ConnectionEnded.ts"
import { Handshake } from "./Handshake.ts"
import {
  acknowledgement,
  messageType,
  type ReceivedMessage,
  type RtmpMessage,
  userControl,
  userEvent
} from "./Messages.ts"
import type { RtmpLimits } from "./RtmpLimits.ts"
import { RtmpViolation } from "./RtmpViolation.ts"
import type { SocketBytes } from "./SocketBytes.ts"

/** Replies that a peer may leave unread: one that only sends commands fills no memory. */
const maxUnread = 256 * 1024
/** Acknowledgements are not sent more often than after this many bytes, whatever window the peer asks for. */
const minWindow = 16 * 1024

/** Messages of one connection, from the end of the handshake on. Answers what keeps the connection itself going. */
export class Link {
  readonly #socket: SocketBytes
  readonly #limits: RtmpLimits
  readonly #reader: ChunkReader
  readonly #handshake = new Handshake()
  #greeted = false
  #admitted = false
  #received = 0
  #window = 0
  /** Of what is sent: the peer learns of a larger one when it connects. */
  #chunkSize = firstChunkSize
  #acknowledged = 0

  constructor(socket: SocketBytes, limits: RtmpLimits) {
    this.#socket = socket
    this.#limits = limits
    this.#reader = new ChunkReader(limits.messageBytesBeforePublish)
  }

  /** The peer is let in: it may send any number of bytes from now on, and publishers may send larger messages. */
  admit(kind: "publish" | "play"): void {
    this.#admitted = true
    if (kind === "publish") this.#reader.maxPending = this.#limits.messageBytes
  }

  /** The next message for the session; undefined when it has to wait for bytes. */
  pull(): ReceivedMessage | RtmpViolation | undefined {
    try {
      for (;;) {
        const message = this.#greeted ? this.#reader.next() : undefined
        if (message === undefined) {
          const bytes = this.#socket.read()
          if (bytes === undefined) return undefined
          this.#take(bytes)
        } else if (!this.#control(message)) return message
      }
    } catch (error) {
      if (error instanceof RtmpViolation) return error
      throw error
    }
  }

  /** Waits for the next message. */
  readonly next: Effect.Effect<ReceivedMessage, ConnectionEnded> = Effect.suspend(() => {
    const pulled = this.pull()
    if (pulled instanceof RtmpViolation) return Effect.fail(malformed(pulled))
    if (pulled !== undefined) return Effect.succeed(pulled)
    return Effect.andThen(this.more, this.next)
  })

  /** Waits until there may be more bytes. */
  readonly more: Effect.Effect<void, ConnectionEnded> = Effect.suspend(() =>
    this.#socket.isOver ? Effect.fail(lost) : this.#socket.readable
  )

  /** Sends what the peer reads last, unless the handshake was not done. */
  last(message: RtmpMessage): void {
    if (this.#greeted) this.#write(message)
  }

  /** Sends messages. */
  readonly send = (messages: ReadonlyArray<RtmpMessage>): Effect.Effect<void, ConnectionEnded> =>
    Effect.suspend(() => {
      for (const message of messages) this.#write(message)
      return this.#socket.unsent > maxUnread
        ? Effect.fail(malformed(new RtmpViolation("replies are not read")))
        : Effect.void
    })

  #take(bytes: Buffer): void {
    this.#received += bytes.length
    if (!this.#admitted && this.#received > this.#limits.bytesBeforePublish) {
      throw new RtmpViolation("too many bytes before the command to publish")
    }
    if (this.#greeted) {
      this.#reader.push(bytes)
      this.#acknowledge()
      return
    }
    const { reply, rest } = this.#handshake.push(bytes)
    if (reply !== undefined) this.#socket.write(reply)
    if (rest === undefined) return
    this.#greeted = true
    this.#reader.push(rest)
  }

  #post(message: RtmpMessage): void {
    if (this.#socket.unsent > maxUnread) throw new RtmpViolation("replies are not read")
    this.#write(message)
  }

  #write(message: RtmpMessage): void {
    this.#socket.write(encodeChunks(message, this.#chunkSize))
    if (message.type === messageType.setChunkSize) this.#chunkSize = outgoingChunkSize
  }

  #acknowledge(): void {
    if (this.#window === 0 || this.#received - this.#acknowledged < this.#window) return
    this.#acknowledged = this.#received
    this.#post(acknowledgement(this.#received))
  }

  /** Whether the message was one of the connection itself (RTMP 5.4, 7.1.7). */
  #control({ payload, type }: ReceivedMessage): boolean {
    if (type === messageType.windowSize) {
      if (payload.length < 4) throw new RtmpViolation("no window size")
      this.#window = Math.max(minWindow, payload.readUInt32BE(0))
      return true
    }
    if (type === messageType.userControl) {
      if (payload.length >= 6 && payload.readUInt16BE(0) === userEvent.pingRequest) {
        this.#post(userControl(userEvent.pingResponse, payload.readUInt32BE(2)))
      }
      return true
    }
    return type === messageType.acknowledgement || type === messageType.peerBandwidth
  }
}
