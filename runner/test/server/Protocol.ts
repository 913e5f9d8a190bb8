import { Effect } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** A request as it came over the wire. */
export interface Received {
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly body: Buffer
}

/** A server on the loopback whose answers are given, one a request, in their order. */
export const serve = (...answers: ReadonlyArray<(request: Received, response: ServerResponse) => void>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const received: Array<Received> = []
      const server = createServer((request, response) => {
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        request.on("end", () => {
          const one = { path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks) }
          const answer = answers[received.length]
          received.push(one)
          if (answer === undefined) response.writeHead(599).end()
          else answer(one, response)
        })
      })
      await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
      return { server, received, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
    }),
    ({ server }) =>
      Effect.promise(
        () =>
          new Promise((done) => {
            server.close(done)
            server.closeAllConnections()
          })
      )
  )

/** An answer of JSON. */
export const json = (status: number, body: unknown) => (_: Received, response: ServerResponse) =>
  void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
