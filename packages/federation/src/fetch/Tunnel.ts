import { Effect, type Scope } from "effect"
import { connect, type Socket } from "node:net"
import { brokenConnection } from "./Exchange.ts"
import { TimedOut, Unreachable } from "./FetchError.ts"

const attempt = (address: string, port: number, connectMillis: number) =>
  Effect.callback<Socket, Unreachable | TimedOut>((resume) => {
    const socket = connect({ host: address, port, timeout: connectMillis })
    socket.on("error", (error) => resume(Effect.fail(brokenConnection(error))))
    socket.once("timeout", () => {
      resume(Effect.fail(new TimedOut({ phase: "connect" })))
      socket.destroy()
    })
    socket.once("connect", () => {
      socket.removeAllListeners("timeout")
      resume(Effect.succeed(socket))
    })
    return Effect.sync(() => socket.destroy())
  })

/** Connects to the first of the vetted addresses that takes the connection. It is closed with the scope. */
export const connectToAny = Effect.fnUntraced(function* (
  addresses: ReadonlyArray<string>,
  port: number,
  connectMillis: number
): Effect.fn.Return<Socket, Unreachable | TimedOut, Scope.Scope> {
  let last: Unreachable | TimedOut = new Unreachable({ code: "ENOADDRESS" })
  for (const address of addresses) {
    const socket = yield* Effect.acquireRelease(
      attempt(address, port, connectMillis),
      (socket) => Effect.sync(() => socket.destroy()),
      { interruptible: true }
    ).pipe(
      Effect.catch((reason) => {
        last = reason
        return Effect.void
      })
    )
    if (socket !== undefined) return socket
  }
  return yield* Effect.fail(last)
})

/**
 * Passes bytes between two sockets until one of them is closed or both are silent. `spend` is called with every chunk's bytes
 * and says whether there may be more.
 */
export const relay = (
  client: Socket,
  remote: Socket,
  idleMillis: number,
  spend: (bytes: number) => boolean
): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    const end = () => {
      client.destroy()
      remote.destroy()
      resume(Effect.void)
    }
    for (const [from, to] of [
      [client, remote],
      [remote, client]
    ] as const) {
      from.setTimeout(idleMillis, end)
      from.on("data", (chunk: Buffer) => {
        if (!spend(chunk.length)) end()
      })
      from.on("close", end)
      from.pipe(to)
    }
    if (client.destroyed || remote.destroyed) end()
    return Effect.sync(end)
  })
