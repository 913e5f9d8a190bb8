import { Effect } from "effect"
import type { Registration } from "../server/RunnerServer.ts"

/** A socket that rings when there is work. */
export interface Bell {
  /** Connects again what a server has closed or refused. */
  readonly revive: Effect.Effect<void>
  /** Whether it would ring now. */
  readonly hears: Effect.Effect<boolean>
}

/**
 * Listens on the namespace `/runners` (contract: socket). Who cannot connect hears nothing and goes on asking: a bell is only
 * faster. socket.io is loaded with the first.
 */
export const openBell = ({ origin, runnerToken }: Registration, ring: () => void) =>
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
        socket.on("available-jobs", ring)
        socket.on("connect", ring)
        return socket
      }),
      (socket) => Effect.sync(() => void socket.removeAllListeners().disconnect())
    ),
    (socket): Bell => ({
      revive: Effect.sync(() => {
        if (!socket.active) socket.connect()
      }),
      hears: Effect.sync(() => socket.connected)
    })
  )
