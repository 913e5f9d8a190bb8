import { Layer } from "effect"
import { LiveSocket } from "../live/socket/LiveSocket.ts"
import { NotificationSocket } from "../social/notification/NotificationSocket.ts"
import { RunnerSocket } from "../runner/registration/RunnerSocket.ts"

/** Every namespace of the socket server. */
export const Sockets = Layer.mergeAll(RunnerSocket, NotificationSocket, LiveSocket)
