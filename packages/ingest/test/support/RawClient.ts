import { Effect, Result, type Scope } from "effect"
import { connect, type Socket } from "node:net"
import { type AmfArray, type AmfValue, decodeAmf0 } from "../../src/amf/Amf0.ts"
import { encodeAmf0 } from "../../src/amf/Amf0Writer.ts"
import { ChunkReader } from "../../src/rtmp/ChunkReader.ts"
import { encodeChunks } from "../../src/rtmp/ChunkWriter.ts"
import { messageType, type ReceivedMessage, setChunkSize } from "../../src/rtmp/Messages.ts"
import { until } from "./Eventually.ts"

const packet = 1_536

/** A client that sends what a test wants. */
export interface RawClient {
  readonly socket: Socket
  readonly send: (bytes: Uint8Array) => void
  /** Sends a command in chunks of the first size. */
  readonly command: (...values: ReadonlyArray<AmfValue>) => void
  /** Sends C0, C1 and C2, and waits for what the server sends of its own. */
  readonly handshake: Effect.Effect<void>
  /** The handshake, and all commands up to publish. */
  readonly publish: (key: AmfValue) => Effect.Effect<void>
  /** All messages of the server, and those that are commands. */
  readonly received: ReadonlyArray<ReceivedMessage>
  readonly commands: ReadonlyArray<AmfArray>
  readonly hasStatus: (code: string) => boolean
  readonly isClosed: () => boolean
  readonly closed: Effect.Effect<void>
}

/** The bytes of C0 and C1. */
export const hello: Buffer = Buffer.concat([Buffer.from([3]), Buffer.alloc(packet, 7)])

/** A media message on the stream of a raw client. */
export const mediaBytes = (type: number, timestamp: number, payload: Uint8Array, chunkSize = 65_536): Uint8Array =>
  encodeChunks({ type, timestamp, payload, streamId: 1 }, chunkSize)

/** A frame of H.264 that says it is a key frame. */
export const frame = (timestamp: number, size = 100): Uint8Array =>
  mediaBytes(messageType.video, timestamp, Buffer.concat([Buffer.from([0x17, 1, 0, 0, 0]), Buffer.alloc(size)]))

/** Lets frames be one chunk. */
export const largeChunks: Uint8Array = encodeChunks(setChunkSize(65_536), 128)

const clientOf = (socket: Socket): RawClient => {
  const reader = new ChunkReader(16 * 1024 * 1024)
  const received: Array<ReceivedMessage> = []
  const commands: Array<AmfArray> = []
  let greeting: Buffer | undefined = Buffer.alloc(0)
  let isClosed = false
  const take = (bytes: Buffer) => {
    reader.push(bytes)
    for (let message = reader.next(); message !== undefined; message = reader.next()) {
      received.push(message)
      if (message.type === messageType.command) commands.push(Result.getOrThrow(decodeAmf0(message.payload)))
    }
  }
  socket.on("data", (bytes: Buffer) => {
    if (greeting === undefined) return take(bytes)
    greeting = Buffer.concat([greeting, bytes])
    if (greeting.length < 1 + 2 * packet) return
    socket.write(greeting.subarray(1, 1 + packet))
    const rest = greeting.subarray(1 + 2 * packet)
    greeting = undefined
    take(rest)
  })
  socket.on("error", () => socket.destroy())
  socket.on("close", () => (isClosed = true))
  const send = (bytes: Uint8Array) => void socket.write(bytes)
  const command: RawClient["command"] = (...values) =>
    send(encodeChunks({ type: messageType.command, streamId: 1, timestamp: 0, payload: encodeAmf0(...values) }, 128))
  const handshake = Effect.suspend(() => {
    send(hello)
    return until("the handshake", () => greeting === undefined || isClosed)
  })
  return {
    ...{ socket, send, command, handshake, received, commands },
    publish: (key) =>
      Effect.andThen(
        handshake,
        Effect.suspend(() => {
          command("connect", 1, { app: "live", tcUrl: "rtmp://127.0.0.1/live" })
          command("createStream", 2, null)
          command("publish", 3, null, key, "live")
          return until("an answer", () => isClosed || commands.some(([name]) => name === "onStatus"))
        })
      ),
    hasStatus: (code) =>
      commands.some(([name, , , status]) => name === "onStatus" && (status as { code: string }).code === code),
    isClosed: () => isClosed,
    closed: until("the end of the connection", () => isClosed)
  }
}

/** Connects to a port of the loopback. The scope closes the connection. */
export const rawClient = (port: number): Effect.Effect<RawClient, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<Socket>((resume) => {
        const socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => resume(Effect.succeed(socket)))
      }),
      (socket) => Effect.sync(() => socket.destroy())
    ),
    clientOf
  )
