import type { Notification } from "@kinora/domain/wire/Notification"
import { read } from "../api/StoredSession.ts"
import { call } from "../api/Call.ts"

/** Between two tries to come in with a renewed session. */
const retryMillis = 30_000

export interface Listener {
  readonly notified: (notification: Notification) => void
  /** From now on every notification arrives; earlier ones may have been missed. */
  readonly connected: () => void
}

/** Listens to the user's notifications while the page is open and somebody is logged in. */
export const listen = async ({ connected, notified }: Listener): Promise<void> => {
  const { io } = await import("socket.io-client")
  const socket = io("/user-notifications", {
    // Not in the address, which others write down.
    auth: (show) => show({ accessToken: read()?.access ?? "" }),
    transports: ["websocket", "polling"],
    reconnectionDelayMax: 60_000
  })
  let triedAt = -retryMillis

  /** The server let nobody in, or has ended it: with the session, unless that can be renewed. */
  const comeAgain = async (): Promise<void> => {
    const wait = triedAt + retryMillis - performance.now()
    triedAt = performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    // Asking anything renews a session that has run out.
    const me = await call("GET /api/v1/users/me/notifications", { query: { count: 0 } })
    if (me.status !== 401 && read() !== undefined) socket.connect()
  }

  socket.on("connect", connected)
  socket.on("new-notification", notified)
  socket.on("disconnect", (reason) => {
    if (reason === "io server disconnect") void comeAgain()
  })
  socket.on("connect_error", () => {
    if (!socket.active) void comeAgain()
  })
}
