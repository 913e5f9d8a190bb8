import { Effect, Exit, FiberSet, Schema, type Scope } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { ClusterPort } from "./ClusterPort.ts"
import { failed, PeerFailed, type Peers } from "./Peers.ts"

const largestCall = 1024 * 1024

const decodeJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Unknown))

const readBody = (request: IncomingMessage) =>
  Effect.callback<string, PeerFailed>((resume) => {
    const chunks: Array<Buffer> = []
    let bytes = 0
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > largestCall) resume(Effect.fail(new PeerFailed({ message: "the call is too large" })))
      else chunks.push(chunk)
    })
    request.on("error", (error) => resume(Effect.fail(failed(error))))
    request.on("end", () => resume(Effect.succeed(Buffer.concat(chunks).toString())))
  })

/** Answers what other nodes call over the port of the cluster. Nothing else leads here. */
export const peerAnswers = Effect.fnUntraced(function* (
  port: ClusterPort
): Effect.fn.Return<Peers["answer"], never, Scope.Scope> {
  const handlers = new Map<string, (input: unknown) => Effect.Effect<unknown>>()
  const fork = yield* FiberSet.makeRuntime()

  const respond = (request: IncomingMessage, response: ServerResponse) => {
    const handler = handlers.get((request.url ?? "").slice(1))
    const answer = Effect.gen(function* () {
      const body = yield* readBody(request)
      if (handler === undefined) return { status: 404, text: "" }
      const given = yield* handler(yield* decodeJson(body))
      return { status: 200, text: JSON.stringify(given ?? null) }
    }).pipe(
      Effect.exit,
      Effect.tap((exit) =>
        Exit.isFailure(exit)
          ? Effect.logWarning(`A call of another node failed (${request.url})`, exit.cause)
          : Effect.void
      ),
      Effect.map((exit) => (Exit.isSuccess(exit) ? exit.value : { status: 500, text: "" })),
      Effect.flatMap(({ status, text }) =>
        Effect.sync(() => {
          response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
          response.end(text)
        })
      )
    )
    const fiber = fork(answer)
    response.once("close", () => fiber.interruptUnsafe())
  }

  const server = createServer(respond)
  server.on("clientError", (_error, socket) => socket.destroy())
  port.onHttp((socket) => server.emit("connection", socket))
  yield* Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections()))

  return (name, handler) =>
    Effect.acquireRelease(
      Effect.sync(() => void handlers.set(name, handler)),
      () => Effect.sync(() => void handlers.delete(name))
    )
})
