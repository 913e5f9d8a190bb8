import { isIP } from "node:net"

export interface Endpoint {
  /** Without the brackets of IPv6. */
  readonly hostname: string
  readonly port: number
}

/**
 * Peers use ports from here on. Lower ones belong to well-known services, which are never connected to. Services on
 * higher ports only receive a handshake that BitTorrent alone understands.
 */
const minPort = 1_024

export const isPeerPort = (port: number): boolean => port >= minPort && port <= 65_535

/** Parses `host:port`, including `[IPv6]:port`. */
export const readEndpoint = (text: string): Endpoint | undefined => {
  const match = /^(?:\[([0-9a-fA-F:.]{2,45})\]|([A-Za-z0-9.-]{1,253})):(\d{1,5})$/.exec(text)
  if (match === null) return undefined
  return { hostname: (match[1] ?? match[2] ?? "").toLowerCase(), port: Number(match[3]) }
}

const ipv4 = (bytes: Uint8Array): string => bytes.join(".")

const ipv6 = (bytes: Uint8Array): string =>
  Array.from({ length: 8 }, (_, n) => (((bytes[2 * n] ?? 0) << 8) | (bytes[2 * n + 1] ?? 0)).toString(16)).join(":")

/** Parses the compact peer lists of trackers (BEP 7, 15, 23): addresses of 4 or 16 bytes, each with its port. */
export const readCompact = (bytes: Uint8Array, addressLength: 4 | 16): ReadonlyArray<Endpoint> => {
  const step = addressLength + 2
  return Array.from({ length: Math.floor(bytes.length / step) }, (_, n) => {
    const one = bytes.subarray(n * step, n * step + step)
    const address = one.subarray(0, addressLength)
    const port = ((one[addressLength] ?? 0) << 8) | (one[addressLength + 1] ?? 0)
    return { hostname: addressLength === 4 ? ipv4(address) : ipv6(address), port }
  })
}

/** Display name of a peer. */
export const endpointName = ({ hostname, port }: Endpoint): string =>
  isIP(hostname) === 6 ? `[${hostname}]:${port}` : `${hostname}:${port}`
