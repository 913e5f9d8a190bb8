import { Effect, Schema } from "effect"
import { Agent, type ClientRequestArgs, request } from "node:http"
import type { Duplex } from "node:stream"
import { connect } from "node:tls"
import type { ClusterKey } from "./ClusterKeys.ts"
import { clientTls, protocols } from "./ClusterTls.ts"
import { failed, PeerFailed } from "./Peers.ts"

/** Milliseconds without a byte: a playlist may be waited for. */
const idleMillis = 30_000
/** Connections to one node: calls that wait for the next part of a live hold theirs. */
const mostConnections = 256
const largestAnswer = 16 * 1024 * 1024

const decodeJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Unknown))

/** Connections to other nodes are kept and used again. */
class PeerAgent extends Agent {
  readonly #keys: ReadonlyArray<ClusterKey>

  constructor(keys: ReadonlyArray<ClusterKey>) {
    super({ keepAlive: true, maxSockets: mostConnections, timeout: idleMillis })
    this.#keys = keys
  }

  override createConnection(options: ClientRequestArgs): Duplex {
    return connect({
      ...clientTls(this.#keys, protocols.http),
      host: options.host ?? "localhost",
      port: Number(options.port)
    })
  }
}

const send = (agent: Agent, address: string, path: string, body: string) =>
  Effect.callback<string, PeerFailed>((resume) => {
    const at = address.lastIndexOf(":")
    const call = request({
      agent,
      host: address.slice(0, at),
      port: Number(address.slice(at + 1)),
      path: `/${path}`,
      method: "POST",
      timeout: idleMillis,
      headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body) }
    })
    const fail = (error: Error) => {
      call.destroy()
      resume(Effect.fail(failed(error)))
    }
    call.on("error", fail)
    call.on("timeout", () => fail(new PeerFailed({ message: "it took too long" })))
    call.on("response", (answer) => {
      const chunks: Array<Buffer> = []
      let bytes = 0
      answer.on("data", (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > largestAnswer) fail(new PeerFailed({ message: "the answer is too large" }))
        else chunks.push(chunk)
      })
      answer.on("error", fail)
      answer.on("end", () =>
        answer.statusCode === 200
          ? resume(Effect.succeed(Buffer.concat(chunks).toString()))
          : fail(new PeerFailed({ message: `status ${answer.statusCode}` }))
      )
    })
    call.end(body)
    return Effect.sync(() => call.destroy())
  })

/** Calls other nodes by their addresses; connections end with the scope. */
export const peerCalls = Effect.fnUntraced(function* (keys: ReadonlyArray<ClusterKey>) {
  const agent = yield* Effect.acquireRelease(
    Effect.sync(() => new PeerAgent(keys)),
    (it) => Effect.sync(() => it.destroy())
  )
  return (address: string, name: string, input: unknown) =>
    Effect.flatMap(send(agent, address, name, JSON.stringify(input)), decodeJson)
})
