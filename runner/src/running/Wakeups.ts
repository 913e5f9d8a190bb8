import { Effect } from "effect"
import type { Registration } from "../server/RunnerServer.ts"

/** Wakeups by socket when there is work. */
export interface Wakeups {
  /** Connects again what a server has closed or refused. */
  readonly reconnect: Effect.Effect<void>
  /** Whether the socket is connected. */
  readonly connected: Effect.Effect<boolean>
}

/**
 * Listens on the namespace `/runners` (contract: socket). A runner that cannot connect keeps polling: a wakeup is only
 * faster. socket.io is loaded with the first.
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
