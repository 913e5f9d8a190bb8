import { Layer } from "effect"
import { NotificationSocket } from "../social/notification/NotificationSocket.ts"
import { RunnerSocket } from "../runner/registration/RunnerSocket.ts"

/** Every namespace of the socket server. */
export const Sockets = Layer.mergeAll(RunnerSocket, NotificationSocket)
