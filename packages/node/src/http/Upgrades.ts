import { Context, Effect, type Scope } from "effect"
import type { IncomingMessage, Server } from "node:http"
import type { Duplex } from "node:stream"
import { canonicalPath } from "./RequestPath.ts"

/** Takes a connection that is to be a web socket, with what has arrived after the request. */
export type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/**
 * Connections that become web sockets under a path, for libraries that want them as node:http has them. Everything else
 * goes to the routes.
 */
export class Upgrades extends Context.Service<
  Upgrades,
  {
    /** Gives the connections of the path and of all below it to the listener, for as long as the scope is open. */
    readonly take: (path: string, listener: UpgradeListener) => Effect.Effect<void, never, Scope.Scope>
  }
>()("@kinora/node/http/Upgrades") {}

/** The registry of a server; `track` is told of each connection that is given away. */
export const makeUpgrades = (server: Server, track: (socket: Duplex) => void): Upgrades["Service"] => {
  const listeners = new Map<string, UpgradeListener>()
  const find = (url: string | undefined): UpgradeListener | undefined => {
    const path = canonicalPath(url ?? "")
    for (const [prefix, listener] of listeners) {
      if (path === prefix || path.startsWith(`${prefix}/`)) return listener
    }
    return undefined
  }
  const emit = server.emit.bind(server) as (event: string | symbol, ...args: ReadonlyArray<unknown>) => boolean
  // A listener beside that of the routes would have to answer the same connection.
  server.emit = (event: string | symbol, ...args: ReadonlyArray<unknown>): boolean => {
    if (event !== "upgrade" || listeners.size === 0) return emit(event, ...args)
    const [request, socket, head] = args as unknown as Parameters<UpgradeListener>
    const listener = find(request.url)
    if (listener === undefined) return emit(event, ...args)
    track(socket)
    listener(request, socket, head)
    return true
  }
  return Upgrades.of({
    take: (path, listener) =>
      Effect.acquireRelease(
        Effect.sync(() => void listeners.set(path, listener)),
        () => Effect.sync(() => void listeners.delete(path))
      )
  })
}
