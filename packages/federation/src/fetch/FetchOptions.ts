import type { AddressMode } from "./AddressPolicy.ts"

/** How one host is spared. */
export interface HostLimits {
  /** Requests to one host at a time. Default 6. */
  readonly concurrency: number
  /** Requests that wait for one of these; whoever comes later is refused as `Busy`. Default 64. */
  readonly queue: number
  /** Requests a second to one host in the long run. Default 10. */
  readonly rate: number
  /** Requests that may come at once after a rest. Default 40. */
  readonly burst: number
  /** Milliseconds to wait for a place or for the rate before `Busy`. Default 10,000. */
  readonly maxWaitMillis: number
  /** Failures of the host in a row after which it is left alone. Default 5. */
  readonly failures: number
  /** Milliseconds it is then left alone, doubled at each further failure. Default 60,000. */
  readonly restMillis: number
  /** Longest rest, and the longest `Retry-After` that is honoured, in milliseconds. Default 3,600,000. */
  readonly maxRestMillis: number
  /** Hosts that are remembered; those used longest ago are forgotten first. Default 10,000. */
  readonly remembered: number
}

/** Settings of every fetch of a process. All but `userAgent` have defaults. */
export interface FetchOptions {
  /** Sent as `User-Agent`: name, version and address of the instance. */
  readonly userAgent: string
  /**
   * Which addresses may be connected to. Default `public`. `public-and-private` allows http and every port, but within
   * private networks alone; `loopback` is for tests: it allows them too, and refuses every address that is not loopback.
   */
  readonly addresses: AddressMode
  /** Networks in CIDR notation that are refused as well. Default none. */
  readonly refusedNetworks: ReadonlyArray<string>
  /** Ports of public addresses that may be connected to. Default 443. */
  readonly ports: ReadonlyArray<number>
  /** Certificates (PEM) to trust besides those Node.js trusts. Default none. */
  readonly certificates: ReadonlyArray<string>
  /** Milliseconds for a connection with its TLS handshake, for each address tried. Default 7,000. */
  readonly connectMillis: number
  /** Milliseconds of silence within a request. Default 15,000. */
  readonly idleMillis: number
  /** Milliseconds for a whole fetch: waiting, names, redirects, body. A call may give its own. Default 30,000. */
  readonly wholeMillis: number
  /** Redirects that are followed. Default 5. */
  readonly maxRedirects: number
  /** Fetches and tunnels of the process at a time. Default 64. */
  readonly concurrency: number
  /** Idle connections that are kept for reuse. Default 32. */
  readonly idleConnections: number
  readonly host: HostLimits
}

/** What a caller of the layers gives; see `FetchOptions` for the rest. */
export type FetchOptionsInput = Pick<FetchOptions, "userAgent"> &
  Partial<Omit<FetchOptions, "userAgent" | "host">> & { readonly host?: Partial<HostLimits> }

const hostDefaults: HostLimits = {
  concurrency: 6,
  queue: 64,
  rate: 10,
  burst: 40,
  maxWaitMillis: 10_000,
  failures: 5,
  restMillis: 60_000,
  maxRestMillis: 3_600_000,
  remembered: 10_000
}

export const fetchOptions = (input: FetchOptionsInput): FetchOptions => ({
  addresses: "public",
  refusedNetworks: [],
  ports: [443],
  certificates: [],
  connectMillis: 7_000,
  idleMillis: 15_000,
  wholeMillis: 30_000,
  maxRedirects: 5,
  concurrency: 64,
  idleConnections: 32,
  ...input,
  host: { ...hostDefaults, ...input.host }
})
