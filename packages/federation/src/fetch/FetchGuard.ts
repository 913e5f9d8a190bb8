import { Context, Effect, Layer, type Scope } from "effect"
import { isIP } from "node:net"
import { makeAddressPolicy } from "./AddressPolicy.ts"
import { type Busy, Refused, type TimedOut, type Unreachable } from "./FetchError.ts"
import { type FetchOptions, type FetchOptionsInput, fetchOptions } from "./FetchOptions.ts"
import { makeHostBudget, type Ticket } from "./HostBudget.ts"
import { NameResolver } from "./NameResolver.ts"

/** Longest URL that is fetched, in characters. */
const maxUrl = 4_096

/** Addresses of one name that are tried. */
const maxTried = 4

export interface Endpoint {
  /** Without the brackets of IPv6. */
  readonly hostname: string
  readonly port: number
}

/** IPv4 and IPv6 in turns, so that a family without a route costs one attempt. */
const inTurns = (addresses: ReadonlyArray<string>): ReadonlyArray<string> => {
  const four = addresses.filter((it) => isIP(it) === 4)
  const six = addresses.filter((it) => isIP(it) === 6)
  return Array.from({ length: Math.max(four.length, six.length) }, (_, i) => [four[i], six[i]])
    .flat()
    .filter((it) => it !== undefined)
}

/** The rules that everything goes by which connects to an address somebody else has named. */
export class FetchGuard extends Context.Service<
  FetchGuard,
  {
    readonly options: FetchOptions
    /** Reads an absolute URL and holds it against the rules that need no network: scheme, credentials, port, length. */
    url(text: string, base?: URL): Effect.Effect<URL, Refused>
    /** Holds the port of an endpoint against the rules. */
    port(port: number): Effect.Effect<void, Refused>
    /**
     * Resolves a host and gives those of its addresses that may be connected to, in the order they are to be tried. The
     * connection must be made to one of these, and never to the name: a second question could get another answer.
     * What is asked for without TLS or on a port that is not allowed everywhere (`isUnusual`) is only ever asked within
     * networks of one's own.
     */
    addresses(
      hostname: string,
      unusual?: boolean
    ): Effect.Effect<ReadonlyArray<string>, Refused | Unreachable | TimedOut>
    /** Whether a URL that `url` let pass has a scheme or a port which only addresses of private networks may have. */
    isUnusual(url: URL): boolean
    /** A place at the host. */
    enter(endpoint: Endpoint): Effect.Effect<Ticket, Busy, Scope.Scope>
  }
>()("@kinora/federation/fetch/FetchGuard") {
  /** A network of `refusedNetworks` that is not in CIDR notation is a defect. */
  static readonly layerNoDeps = (input: FetchOptionsInput): Layer.Layer<FetchGuard, never, NameResolver> =>
    Layer.effect(FetchGuard, make(fetchOptions(input)))

  static readonly layer = (input: FetchOptionsInput): Layer.Layer<FetchGuard> =>
    FetchGuard.layerNoDeps(input).pipe(Layer.provide(NameResolver.layer))
}

const make = Effect.fnUntraced(function* (options: FetchOptions) {
  const names = yield* NameResolver
  const isAllowed = makeAddressPolicy(options.addresses, options.refusedNetworks)
  const budget = makeHostBudget(options)
  // An address that may turn out to be within is held against scheme and port when it is known.
  const inside = options.addresses !== "public"
  const onlyInside = makeAddressPolicy("private", options.refusedNetworks)

  const port = (number: number) =>
    inside || options.ports.includes(number)
      ? Effect.void
      : Effect.fail(new Refused({ what: "port", detail: `port ${number}` }))

  const url = Effect.fnUntraced(function* (text: string, base?: URL) {
    if (text.length > maxUrl) return yield* new Refused({ what: "url", detail: "too long" })
    const parsed = URL.parse(text, base?.href)
    if (parsed === null) return yield* new Refused({ what: "url", detail: "not a URL" })
    if (parsed.protocol !== "https:" && !(inside && parsed.protocol === "http:")) {
      return yield* new Refused({ what: "scheme", detail: parsed.protocol.slice(0, 20) })
    }
    if (parsed.username !== "" || parsed.password !== "") {
      return yield* new Refused({ what: "credentials", detail: "user or password in the URL" })
    }
    yield* port(portOf(parsed))
    parsed.hash = ""
    return parsed
  })

  const addresses = Effect.fnUntraced(function* (hostname: string, unusual = false) {
    const all = isIP(hostname) === 0 ? yield* names.resolve(hostname) : [hostname]
    const fit = all.filter((address) => isAllowed(address) && (!unusual || onlyInside(address)))
    const vetted = inTurns(fit).slice(0, maxTried)
    if (vetted.length === 0) return yield* new Refused({ what: "address", detail: hostname })
    return vetted
  })

  return FetchGuard.of({
    options,
    url,
    port,
    addresses,
    isUnusual: (it) => it.protocol !== "https:" || !options.ports.includes(portOf(it)),
    enter: ({ hostname, port }) => budget.enter(`${hostname.toLowerCase()}:${port}`)
  })
})

/** The port of a URL with its scheme's default. */
const portOf = (url: URL): number => (url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port))

export const endpointOf = (url: URL): Endpoint => ({
  hostname: url.hostname.replace(/^\[|\]$/g, ""),
  port: portOf(url)
})
