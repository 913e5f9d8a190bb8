import { Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"
import { lookup, type LookupAddress } from "node:dns"
import type { LookupFunction } from "node:net"

const networks = (list: ReadonlyArray<string>) => list.map((it) => IpNetwork.fromStringUnsafe(it))

/** IANA's special-purpose registry for IPv4 (RFC 6890), multicast, and a metadata service with a public address. */
const special4 = networks([
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24"],
  ...["192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"],
  ...["224.0.0.0/4", "240.0.0.0/4", "168.63.129.16/32"]
])

/** What is given out as global unicast, and what of it belongs to nobody: Teredo and others, documentation, 6to4. */
const global6 = IpNetwork.fromStringUnsafe("2000::/3")
const special6 = networks(["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"])

const within = (list: ReadonlyArray<IpNetwork.IpNetwork>, address: NetAddress.IpAddress) =>
  list.some((network) => IpNetwork.contains(network, address))

/** Whether an address, as text, is one of the internet and not of this machine or its networks. */
export const isPublicAddress = (text: string): boolean => {
  const parsed = NetAddress.ipFromString(text)
  if (Result.isFailure(parsed)) return false
  const address = parsed.success
  return NetAddress.isIpv4Address(address)
    ? !within(special4, address)
    : IpNetwork.contains(global6, address) && !within(special6, address)
}

/** Whether the host of a URL is an address that is refused before any name is looked up. */
export const isRefusedLiteral = (hostname: string): boolean => {
  const text = hostname.replace(/^\[|\]$/g, "")
  return Result.isSuccess(NetAddress.ipFromString(text)) && !isPublicAddress(text)
}

/** Code of the error that a name at a private address ends in. */
export const refusedAddress = "EREFUSED_ADDRESS"

const refused = (name: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${name} is at an address of a private network`), { code: refusedAddress })

/**
 * Looks names up for sockets and gives public addresses only, so that what was looked at is what is connected to. A name with one
 * private address has nothing to do with object storage: it is refused whole.
 */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses: ReadonlyArray<LookupAddress> = []) => {
    const [first] = addresses
    if (error !== null || first === undefined) callback(error ?? refused(hostname), [])
    else if (!addresses.every(({ address }) => isPublicAddress(address))) callback(refused(hostname), [])
    else if (options.all === true) callback(null, [...addresses])
    else callback(null, first.address, first.family)
  })
}
