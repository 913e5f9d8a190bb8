import { Layer } from "effect"
import { NotificationSocket } from "../notifications/NotificationSocket.ts"
import { RunnerSocket } from "../runners/RunnerSocket.ts"

/** All that is told over sockets. */
export const Sockets = Layer.mergeAll(RunnerSocket, NotificationSocket)
