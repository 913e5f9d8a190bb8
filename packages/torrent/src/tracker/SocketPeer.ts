import type { TrackerSocket } from "bittorrent-tracker/server"
import { Effect, Queue } from "effect"
import { CloseEvent, type SocketError, type Writer } from "effect/socket/Socket"
import { EventEmitter } from "node:events"
import { maxUnsent } from "./TrackerLimits.ts"

/** A web socket as the tracker library sees it, and the messages written to it. */
export interface SocketPeer {
  readonly socket: TrackerSocket
  /** Passes a frame to the library. */
  readonly receive: (frame: string) => void
  readonly send: (text: string) => void
  /** Reports the closed socket to the library: its peer leaves all swarms. */
  readonly leave: () => void
  /** Writes queued messages, forever; ends when the connection accepts no more. */
  readonly write: (writer: Writer, unsent: () => number) => Effect.Effect<void, SocketError>
}

/** Creates the socket of a client at `address`. The library names peers by address and port. */
export const makeSocketPeer = Effect.fnUntraced(function* (address: string, port: number) {
  const outbox = yield* Queue.unbounded<string>()
  const state = { waiting: 0, isSlow: false }

  const send = (text: string) => {
    if (state.isSlow) return
    state.waiting += text.length
    state.isSlow = state.waiting > maxUnsent
    Queue.offerUnsafe(outbox, text)
  }

  const emitter = new EventEmitter()
  const socket: TrackerSocket = Object.assign(emitter, {
    upgradeReq: { headers: {}, connection: { remoteAddress: address, remotePort: port } },
    send: (text: string) => send(text)
  })

  return {
    socket,
    send,
    receive: (frame) => void socket.emit("message", frame),
    leave: () => void socket.emit("close"),
    write: Effect.fnUntraced(function* (writer, unsent) {
      while (!state.isSlow && unsent() <= maxUnsent) {
        const text = yield* Queue.take(outbox)
        state.waiting -= text.length
        yield* writer.write(text)
      }
      yield* writer.write(new CloseEvent(1008, "Too slow"))
    })
  } satisfies SocketPeer
})
