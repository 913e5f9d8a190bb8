import { Effect } from "effect"
import { createSocket } from "node:dgram"
import {
  type Extension,
  extensionType,
  type Handshake,
  handshakeBody,
  handshakeType,
  readHandshake
} from "../../src/srt/Handshake.ts"
import { type ControlPacket, controlBytes, controlType, headerLength, readPacket } from "../../src/srt/SrtPacket.ts"
import { until } from "./Eventually.ts"

export const callerId = 0x1234

const hello: Handshake = {
  ...{ version: 4, encryption: 0, extensionField: 2, sequence: 7000, mtu: 1500, flowWindow: 8192, cookie: 0 },
  ...{ type: handshakeType.induction, socketId: callerId, extensions: [] }
}

/** A text as an extension has it. */
export const textContent = (text: string): Buffer => {
  const bytes = Buffer.from(text)
  const padded = Buffer.alloc(Math.ceil(bytes.length / 4) * 4)
  bytes.copy(padded)
  return padded.swap32()
}

export const streamId = (text: string): Extension => ({ type: extensionType.streamId, content: textContent(text) })

/** The request of a caller: version 1.5.0, live mode, and how long it wants lost packets to be waited for. */
export const request = (latency = 120, flags = 0x3f, version = 0x01_05_00): Extension => {
  const content = Buffer.alloc(12)
  content.writeUInt32BE(version, 0)
  content.writeUInt32BE(flags, 4)
  content.writeUInt16BE(latency, 10)
  return { type: extensionType.request, content }
}

export const handshakePacket = (fields: Partial<Handshake> = {}): Buffer =>
  controlBytes({
    ...{ type: controlType.handshake, time: 0, socketId: 0 },
    body: handshakeBody({ ...hello, ...fields }, "127.0.0.1")
  })

export const dataPacket = (socketId: number, sequence: number, payload: Uint8Array, key = 0): Buffer => {
  const head = Buffer.alloc(headerLength)
  head.writeUInt32BE(sequence, 0)
  head.writeUInt32BE((0xe0_00_00_01 | (key << 27)) >>> 0, 4)
  head.writeUInt32BE(socketId, 12)
  return Buffer.concat([head, payload])
}

/** A caller that sends what it is given to, byte for byte. */
export const srtCaller = Effect.fnUntraced(function* (port: number) {
  const received: Array<Buffer> = []
  const socket = yield* Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createSocket>>((resume) => {
      const made = createSocket("udp4")
      made.on("message", (bytes) => received.push(bytes))
      made.bind(0, "127.0.0.1", () => resume(Effect.succeed(made)))
    }),
    (made) => Effect.callback<void>((resume) => void made.close(() => resume(Effect.void)))
  )
  const send = (bytes: Uint8Array) => socket.send(bytes, port, "127.0.0.1")
  const controls = (type: number): ReadonlyArray<ControlPacket> =>
    received.flatMap((bytes) => {
      const packet = readPacket(bytes)
      return packet?.kind === "control" && packet.type === type ? [packet] : []
    })
  const handshakes = () => controls(controlType.handshake).map(({ body }) => readHandshake(body)!)
  /** Sends a handshake and waits for the next answer to one. */
  const ask = Effect.fnUntraced(function* (fields: Partial<Handshake>) {
    const before = handshakes().length
    send(handshakePacket(fields))
    yield* until("an answer", () => handshakes().length > before)
    return handshakes()[before]!
  })
  const induce = ask({})
  const conclude = Effect.fnUntraced(function* (extensions: ReadonlyArray<Extension>, fields: Partial<Handshake> = {}) {
    const { cookie } = yield* induce
    return yield* ask({ version: 5, extensionField: 5, type: handshakeType.conclusion, cookie, extensions, ...fields })
  })
  /** Publishes with a key, and returns the socket id of the listener. */
  const publish = Effect.fnUntraced(function* (key: string) {
    const answer = yield* conclude([request(), streamId(key)])
    if (answer.type !== handshakeType.conclusion) return yield* Effect.die(new Error(`rejected: ${answer.type}`))
    return answer.socketId
  })
  return { received, send, controls, handshakes, ask, induce, conclude, publish }
})

export type SrtCaller = Effect.Success<ReturnType<typeof srtCaller>>
