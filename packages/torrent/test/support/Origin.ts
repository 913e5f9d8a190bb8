import { Effect } from "effect"
import { createServer, type IncomingMessage, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"

/** A web server on 127.0.0.1 and the requests it got, until the scope ends. */
export const origin = Effect.fnUntraced(function* (listener: RequestListener) {
  const seen: Array<{ readonly path: string; readonly headers: IncomingMessage["headers"] }> = []
  const server = yield* Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const server = createServer((request, response) => {
        seen.push({ path: request.url ?? "", headers: request.headers })
        listener(request, response)
      })
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  )
  const { port } = server.address() as AddressInfo
  return { url: (path: string) => `http://127.0.0.1:${port}${path}`, seen }
})
