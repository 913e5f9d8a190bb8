import { Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"

type Networks = ReadonlyArray<IpNetwork.IpNetwork>

/** Networks in CIDR notation; a text that is none throws. */
export const networks = (list: ReadonlyArray<string>): Networks => list.map((it) => IpNetwork.fromStringUnsafe(it))

/** IANA's special-purpose registry for IPv4 (RFC 6890), and what is unicast without being a host of the internet. */
const special4 = networks([
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  // A metadata service that has a public address.
  "168.63.129.16/32"
])

/**
 * The one block of IPv6 that is given out as global unicast. Everything outside of it is refused: unspecified, loopback,
 * IPv4-compatible and -mapped, NAT64 (`64:ff9b::/96`, `64:ff9b:1::/48`), discard, segment routing, unique and link-local,
 * site-local and multicast.
 */
const global6 = IpNetwork.fromStringUnsafe("2000::/3")

/** Inside of the block: protocol assignments with Teredo and ORCHID, documentation, 6to4. */
const special6 = networks(["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"])

export const loopbackNetworks = networks(["127.0.0.0/8", "::1/128"])

export const privateNetworks = networks(["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7"])

/** Metadata services with addresses inside of private networks. */
export const metadataNetworks = networks(["100.100.100.200/32", "fd00:ec2::254/128", "fd20:ce::254/128"])

/** Whether an address is in one of these networks. */
export const isWithin = (list: Networks, address: NetAddress.IpAddress): boolean =>
  list.some((network) => IpNetwork.contains(network, address))

/** Whether an address is globally reachable unicast: not of this machine, its networks or any other special purpose. */
export const isPublic = (address: NetAddress.IpAddress): boolean =>
  NetAddress.isIpv4Address(address)
    ? !isWithin(special4, address)
    : IpNetwork.contains(global6, address) && !isWithin(special6, address)

/** The same of text, as DNS and sockets give it. What has a zone, or is no address, is not public. */
export const isPublicAddress = (text: string): boolean => {
  const address = NetAddress.ipFromString(text)
  return Result.isSuccess(address) && isPublic(address.success)
}

/** Whether the host of a URL (IPv6 in brackets) is an address, and not a public one. Names are not looked up. */
export const isRefusedLiteral = (hostname: string): boolean => {
  const address = NetAddress.ipFromString(hostname.replace(/^\[|\]$/g, ""))
  return Result.isSuccess(address) && !isPublic(address.success)
}
