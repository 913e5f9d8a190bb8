import { Effect } from "effect"
import type { Registration } from "../server/RunnerServer.ts"

/** Notifications by socket that there are jobs. */
export interface Wakeups {
  /** Reconnects after a server closed or refused the connection. */
  readonly reconnect: Effect.Effect<void>
  /** Whether the socket is connected. */
  readonly connected: Effect.Effect<boolean>
}

/**
 * Listens on the namespace `/runners` (contract: socket). A runner that cannot connect keeps polling: wakeups are only
 * faster. socket.io is loaded with the first connection.
 */
export const openWakeups = ({ origin, runnerToken }: Registration, wake: () => void) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const { io } = await import("socket.io-client")
        const socket = io(`${origin}/runners`, {
          auth: { runnerToken },
          transports: ["websocket"],
          forceNew: true,
          reconnectionDelay: 1000,
          reconnectionDelayMax: 60_000
        })
        socket.on("available-jobs", wake)
        socket.on("connect", wake)
        return socket
      }),
      (socket) => Effect.sync(() => void socket.removeAllListeners().disconnect())
    ),
    (socket): Wakeups => ({
      reconnect: Effect.sync(() => {
        if (!socket.active) socket.connect()
      }),
      connected: Effect.sync(() => socket.connected)
    })
  )
