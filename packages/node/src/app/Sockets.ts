import { Layer } from "effect"
import { NotificationSocket } from "../social/notification/NotificationSocket.ts"
import { RunnerSocket } from "../runner/registration/RunnerSocket.ts"

/** All that is told over sockets. */
export const Sockets = Layer.mergeAll(RunnerSocket, NotificationSocket)
