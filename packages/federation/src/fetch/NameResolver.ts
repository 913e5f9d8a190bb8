import { Context, Effect, Layer } from "effect"
import { Resolver } from "node:dns/promises"
import { TimedOut, Unreachable } from "./FetchError.ts"

/** Most addresses of a name that are looked at; a name with more is trying something. */
const maxAddresses = 32

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "EDNS"

const reasonOf = (error: unknown): Unreachable | TimedOut => {
  const code = codeOf(error)
  return code === "ETIMEOUT" ? new TimedOut({ phase: "resolve" }) : new Unreachable({ code })
}

interface Settled {
  readonly addresses: ReadonlyArray<string>
  readonly error?: unknown
}

const settled = (answer: Promise<ReadonlyArray<string>>): Promise<Settled> =>
  answer.then(
    (addresses) => ({ addresses }),
    (error: unknown) => ({ addresses: [], error })
  )

const loopbackName = /^(?:.+\.)?localhost\.?$/i

const ask = (name: string, servers: ReadonlyArray<string> | undefined) =>
  Effect.tryPromise({
    try: async (signal) => {
      const resolver = new Resolver({ timeout: 2_000, tries: 2 })
      if (servers !== undefined) resolver.setServers(servers)
      signal.addEventListener("abort", () => resolver.cancel())
      const [four, six] = await Promise.all([settled(resolver.resolve4(name)), settled(resolver.resolve6(name))])
      const addresses = [...four.addresses, ...six.addresses].slice(0, maxAddresses)
      if (addresses.length === 0) throw four.error ?? six.error
      return addresses
    },
    catch: reasonOf
  })

/**
 * Every address of a name, IPv4 first, unvetted. DNS is asked directly: the system's `getaddrinfo` would read the hosts
 * file, add search domains, and hold a thread of the pool that reads files for as long as a dead name server is silent.
 * `localhost` is loopback without a question (RFC 6761, 6.3).
 */
export class NameResolver extends Context.Service<
  NameResolver,
  { resolve(name: string): Effect.Effect<ReadonlyArray<string>, Unreachable | TimedOut> }
>()("@kinora/federation/fetch/NameResolver") {
  /** `servers`: name servers as `address` or `address:port`; left out, those of the system. */
  static readonly layerServers = (servers?: ReadonlyArray<string>): Layer.Layer<NameResolver> =>
    Layer.succeed(NameResolver, {
      resolve: (name) =>
        loopbackName.test(name) ? Effect.succeed(["127.0.0.1", "::1"]) : Effect.suspend(() => ask(name, servers))
    })

  static readonly layer = NameResolver.layerServers()
}
