import { IpNetwork, NetAddress } from "effect/net"
import { Result } from "effect"

/**
 * Which addresses may be connected to.
 *
 * - `public`: globally reachable unicast addresses alone; for production.
 * - `public-and-private`: these, loopback and private networks: for instances that federate within a network of their
 *   own. Link-local addresses and those of cloud metadata services stay refused.
 * - `loopback`: loopback alone, every public address refused: for tests, so that none of them reaches the network.
 */
export type AddressMode = "public" | "public-and-private" | "loopback"

export type AddressVetting = (address: string) => boolean

const networks = (list: ReadonlyArray<string>): ReadonlyArray<IpNetwork.IpNetwork> =>
  list.map((it) => IpNetwork.fromStringUnsafe(it))

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

const loopback = networks(["127.0.0.0/8", "::1/128"])

const privateNetworks = networks(["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7"])

/** Metadata services with addresses inside of private networks. */
const metadata = networks(["100.100.100.200/32", "fd00:ec2::254/128", "fd20:ce::254/128"])

const within = (list: ReadonlyArray<IpNetwork.IpNetwork>, address: NetAddress.IpAddress): boolean =>
  list.some((network) => IpNetwork.contains(network, address))

const isPublic = (address: NetAddress.IpAddress): boolean =>
  NetAddress.isIpv4Address(address)
    ? !within(special4, address)
    : IpNetwork.contains(global6, address) && !within(special6, address)

const allowed: Readonly<Record<AddressMode, (address: NetAddress.IpAddress) => boolean>> = {
  public: isPublic,
  "public-and-private": (address) =>
    isPublic(address) || within(loopback, address) || (within(privateNetworks, address) && !within(metadata, address)),
  loopback: (address) => within(loopback, address)
}

/**
 * Says whether an address (text, as DNS and sockets give it) may be connected to. An address with a zone, or one that is
 * not an address, may not. `refused` are further networks in CIDR notation, such as public addresses of an intranet; one
 * that is none throws.
 */
export const makeAddressPolicy = (mode: AddressMode, refused: ReadonlyArray<string> = []): AddressVetting => {
  const more = networks(refused)
  return (text) => {
    const address = NetAddress.ipFromString(text)
    return Result.isSuccess(address) && allowed[mode](address.success) && !within(more, address.success)
  }
}
