import { Effect } from "effect"
import { createServer, type Server as HttpServer } from "node:http"
import type { Server, Socket } from "socket.io"

/** Bytes of a message: clients have nothing to say but who they are. */
const maxMessageBytes = 16 * 1024
/** Time to name a namespace and to be let in. */
const connectMillis = 10_000

/** The path clients ask for, in polling as for web sockets. */
export const socketPath = "/socket.io/"

/** Whether a request begins a session, as the library reads it: of several ids the last counts, and an empty one is none. */
export const asksForSession = (url: string): boolean =>
  (new URL(url, "https://socket.io").searchParams.getAll("sid").at(-1) ?? "") === ""

/** A client of the library, before it has said what it wants. */
export interface Connection {
  readonly request: Socket["request"]
}

/** The library, and the server it takes connections from: one that listens nowhere. */
export interface SocketLibrary {
  readonly inner: HttpServer
  readonly server: Server
}

/**
 * socket.io over a server of its own, loaded when the first client comes. Clients begin with polling and go over to a web
 * socket, or begin with one. Nothing is told in the namespace everybody is in.
 *
 * @param counted is told of each client that comes, and answers what to call when it is gone, or that it may not come
 */
export const openLibrary = (counted: (connection: Connection) => (() => void) | undefined) =>
  Effect.acquireRelease(
    Effect.promise(async (): Promise<SocketLibrary> => {
      const { Server } = await import("socket.io")
      const inner = createServer()
      const server = new Server(inner, {
        path: socketPath,
        serveClient: false,
        transports: ["polling", "websocket"],
        maxHttpBufferSize: maxMessageBytes,
        connectTimeout: connectMillis,
        // Answers are short, and compressing them costs memory for each socket.
        perMessageDeflate: false,
        httpCompression: false,
        cors: { origin: "*" }
      })
      server.engine.on("connection", (connection: Connection & { once: Function; close: () => void }) => {
        const gone = counted(connection)
        if (gone === undefined) connection.close()
        else connection.once("close", gone)
      })
      server.of("/").use((_socket, next) => next(new Error("Nothing is told here")))
      return { inner, server }
    }),
    ({ server }) => Effect.promise(() => server.close())
  )
