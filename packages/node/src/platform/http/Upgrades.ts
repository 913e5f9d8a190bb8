import { Context, Effect, type Scope } from "effect"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { canonicalPath } from "./RequestPath.ts"

/** Takes a connection that is to be a web socket, with what has arrived after the request. */
export type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/** Takes a plain request of the same path, and answers it: nothing of ours is around it. */
export type PlainListener = (request: IncomingMessage, response: ServerResponse) => void

interface Taker {
  readonly upgrade: UpgradeListener
  readonly plain: PlainListener | undefined
}

/**
 * Connections that become web sockets under a path, for libraries that want them as node:http has them, and plain requests
 * of libraries whose clients begin with those. Everything else goes to the routes.
 */
export class Upgrades extends Context.Service<
  Upgrades,
  {
    /** Gives the connections of the path and of all below it to the listeners, for as long as the scope is open. */
    readonly take: (
      path: string,
      upgrade: UpgradeListener,
      plain?: PlainListener
    ) => Effect.Effect<void, never, Scope.Scope>
  }
>()("@kinora/node/http/Upgrades") {}

/** The registry of a server; `track` is called with each connection that is handed over. */
export const makeUpgrades = (server: Server, track: (socket: Duplex) => void): Upgrades["Service"] => {
  const takers = new Map<string, Taker>()
  const find = (url: string | undefined): Taker | undefined => {
    const path = canonicalPath(url ?? "")
    for (const [prefix, taker] of takers) {
      if (path === prefix || path.startsWith(`${prefix}/`)) return taker
    }
    return undefined
  }
  /** Every request passes here: only the plain spelling of a path is taken. */
  const findPlain = (url: string): PlainListener | undefined => {
    for (const [prefix, { plain }] of takers) {
      if (plain !== undefined && url.startsWith(prefix) && /^(?:$|[/?])/.test(url.slice(prefix.length))) return plain
    }
    return undefined
  }
  const emit = server.emit.bind(server) as (event: string | symbol, ...args: ReadonlyArray<unknown>) => boolean
  // A listener beside that of the routes would have to answer the same connection.
  server.emit = (event: string | symbol, ...args: ReadonlyArray<unknown>): boolean => {
    if ((event !== "upgrade" && event !== "request") || takers.size === 0) return emit(event, ...args)
    if (event === "request") {
      const plain = findPlain((args[0] as IncomingMessage).url ?? "")
      if (plain === undefined) return emit(event, ...args)
      plain(...(args as unknown as Parameters<PlainListener>))
      return true
    }
    const taker = find((args[0] as IncomingMessage).url)
    if (taker === undefined) return emit(event, ...args)
    const [request, socket, head] = args as unknown as Parameters<UpgradeListener>
    track(socket)
    taker.upgrade(request, socket, head)
    return true
  }
  return Upgrades.of({
    take: (path, upgrade, plain) =>
      Effect.acquireRelease(
        Effect.sync(() => void takers.set(path, { upgrade, plain })),
        () => Effect.sync(() => void takers.delete(path))
      )
  })
}
