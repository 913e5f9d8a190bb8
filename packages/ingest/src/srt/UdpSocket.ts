import { Effect, type Scope } from "effect"
import { createSocket, type Socket } from "node:dgram"
import { ListenError } from "../ListenError.ts"

/** What the system keeps while this process is busy, as far as it permits. */
const received = 4 * 1024 * 1024

/** A bound UDP socket, which closes with the scope. */
export const udpSocket = (host: string, port: number): Effect.Effect<Socket, ListenError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<Socket, ListenError>((resume) => {
      const socket = createSocket({ type: host.includes(":") ? "udp6" : "udp4", recvBufferSize: received })
      socket.once("error", (cause) => {
        const message = `SRT cannot listen on ${host}:${port}: ${cause.message}`
        resume(Effect.fail(new ListenError({ message, cause })))
      })
      socket.bind({ port, address: host, exclusive: true }, () => {
        socket.removeAllListeners("error")
        resume(Effect.succeed(socket))
      })
    }),
    (socket) => Effect.callback<void>((resume) => void socket.close(() => resume(Effect.void)))
  )
