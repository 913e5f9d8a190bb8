import { Effect } from "effect"
import { createServer, type Server as HttpServer } from "node:http"
import type { Server, Socket } from "socket.io"

/** Maximum bytes of a message: clients only send credentials. */
const maxMessageBytes = 16 * 1024
/** Time limit for joining a namespace. */
const connectMillis = 10_000

/** The path of the socket server, for polling and for web sockets. */
export const socketPath = "/socket.io/"

/**
 * Whether a request starts a session, as the library reads it: of several ids the last counts, and an empty one counts
 * as none.
 */
export const asksForSession = (url: string): boolean =>
  (new URL(url, "https://socket.io").searchParams.getAll("sid").at(-1) ?? "") === ""

/** A client of the library that has not joined a namespace yet. */
export interface Connection {
  readonly request: Socket["request"]
}

/** The library, and the HTTP server it is attached to, which does not listen itself. */
export interface SocketLibrary {
  readonly inner: HttpServer
  readonly server: Server
}

/**
 * socket.io on its own HTTP server, loaded for the first client. Clients begin with polling and may switch to a web
 * socket, or begin with one. Nothing is sent in the default namespace, which every client is in.
 *
 * @param counted is called for each new client. It returns a function to call when the client disconnects, or refuses
 * the client.
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
        // Messages are short, and compression costs memory for each socket.
        perMessageDeflate: false,
        httpCompression: false,
        cors: { origin: "*" }
      })
      server.engine.on("connection", (connection: Connection & { once: Function; close: () => void }) => {
        const gone = counted(connection)
        if (gone === undefined) connection.close()
        else connection.once("close", gone)
      })
      server.of("/").use((_socket, next) => next(new Error("This namespace sends nothing")))
      return { inner, server }
    }),
    ({ server }) => Effect.promise(() => server.close())
  )
