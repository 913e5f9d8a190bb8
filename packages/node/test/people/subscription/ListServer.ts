import { Context, Effect, Layer } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

/** A server on the loopback that publishes lists, as others would. */
export class ListServer extends Context.Service<
  ListServer,
  {
    readonly host: string
    readonly url: (path: string) => string
    /** What is published at a path from now on. */
    readonly publish: (path: string, what: unknown) => void
    /** The same with an entity tag. Whoever has it already is sent nothing; `sent` counts the others. */
    readonly tag: (path: string, etag: string, what: unknown) => { readonly sent: number }
    readonly answer: (path: string, handler: Handler) => void
    /** Queries that a path was asked with, one a request. */
    readonly asked: (path: string) => ReadonlyArray<string>
  }
>()("@kinora/node/test/people/subscription/ListServer") {
  static readonly layer = Layer.effect(
    ListServer,
    Effect.acquireRelease(
      Effect.callback<{ readonly service: ListServer["Service"]; readonly close: () => void }>((resume) => {
        const handlers = new Map<string, Handler>()
        const requests: Array<{ readonly path: string; readonly query: string }> = []
        const server = createServer((request, response) => {
          const [path = "", query = ""] = (request.url ?? "").split("?")
          requests.push({ path, query: decodeURIComponent(query) })
          const handler = handlers.get(path)
          if (handler === undefined) response.writeHead(404).end()
          else handler(request, response)
        })
        const answer = (path: string, handler: Handler) => void handlers.set(path, handler)
        server.listen(0, "127.0.0.1", () => {
          const { port } = server.address() as AddressInfo
          resume(
            Effect.succeed({
              service: ListServer.of({
                host: `127.0.0.1:${port}`,
                url: (path) => `http://127.0.0.1:${port}${path}`,
                answer,
                tag: (path, etag, what) => {
                  const counter = { sent: 0 }
                  answer(path, (request, response) => {
                    if (request.headers["if-none-match"] === etag) return response.writeHead(304, { etag }).end()
                    counter.sent++
                    return response
                      .writeHead(200, { "content-type": "application/json", etag })
                      .end(JSON.stringify(what))
                  })
                  return counter
                },
                publish: (path, what) =>
                  answer(path, (_, response) =>
                    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(what))
                  ),
                asked: (path) => requests.filter((it) => it.path === path).map(({ query }) => query)
              }),
              close: () => {
                server.closeAllConnections()
                server.close()
              }
            })
          )
        })
      }),
      ({ close }) => Effect.sync(close)
    ).pipe(Effect.map(({ service }) => service))
  )
}
