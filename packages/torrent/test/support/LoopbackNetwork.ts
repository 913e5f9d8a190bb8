import { isWithin, loopbackNetworks } from "@kinora/domain/network/PublicAddress"
import { Effect, Layer, Result } from "effect"
import { NetAddress } from "effect/net"
import { get } from "node:http"
import { connect, type Socket } from "node:net"
import { NetworkFailed, NetworkRefused, TorrentNetwork } from "../../src/network/TorrentNetwork.ts"

const failed = (detail: string, transient = false) => new NetworkFailed({ transient, detail })

/** Names are not resolved: there is no name service in a test. */
const addresses = (hostname: string) => {
  const address = NetAddress.ipFromString(hostname)
  return Result.isSuccess(address) && isWithin(loopbackNetworks, address.success)
    ? Effect.succeed([hostname])
    : Effect.fail(new NetworkRefused({ detail: hostname }))
}

const dial = (hostname: string, port: number) =>
  Effect.acquireRelease(
    Effect.callback<Socket, NetworkFailed>((resume) => {
      const socket = connect({ host: hostname, port })
      socket.on("error", ({ message }) => resume(Effect.fail(failed(message, true))))
      socket.once("connect", () => resume(Effect.succeed(socket)))
      return Effect.sync(() => socket.destroy())
    }),
    (socket) => Effect.sync(() => socket.destroy()),
    { interruptible: true }
  )

const read = (url: string, maxBytes: number, part?: { readonly first: number; readonly last: number }) =>
  Effect.callback<Uint8Array, NetworkFailed>((resume) => {
    const headers = part === undefined ? {} : { range: `bytes=${part.first}-${part.last}` }
    const request = get(url, { headers }, (answer) => {
      const { "content-range": range = "" } = answer.headers
      const isWanted =
        part === undefined
          ? answer.statusCode === 200
          : answer.statusCode === 206 && range.startsWith(`bytes ${part.first}-${part.last}/`)
      const chunks: Array<Buffer> = []
      let length = 0
      answer.on("data", (chunk: Buffer) => {
        chunks.push(chunk)
        length += chunk.length
        if (length > maxBytes) request.destroy(new Error("too large"))
      })
      answer.on("end", () =>
        resume(isWanted ? Effect.succeed(Buffer.concat(chunks)) : Effect.fail(failed(`status ${answer.statusCode}`)))
      )
    })
    request.on("error", ({ message }) => resume(Effect.fail(failed(message))))
    return Effect.sync(() => request.destroy())
  })

/**
 * A network that ends at loopback addresses. The one that production uses stands in packages/node, with tests that hold
 * torrents to its rules.
 */
export const loopbackNetwork = Layer.succeed(
  TorrentNetwork,
  TorrentNetwork.of({
    reachesInternet: false,
    addresses,
    reserve: ({ hostname }) =>
      Effect.map(addresses(hostname), (found) => ({ addresses: found, answered: Effect.void, failed: Effect.void })),
    connect: ({ hostname, port }) => Effect.andThen(addresses(hostname), dial(hostname, port)),
    bytes: (url, { maxBytes, part }) => Effect.andThen(addresses(new URL(url).hostname), read(url, maxBytes, part))
  })
)
