import { BlockList, isIP } from "node:net"

const named: Readonly<Record<string, ReadonlyArray<string>>> = {
  loopback: ["127.0.0.0/8", "::1/128"],
  linklocal: ["169.254.0.0/16", "fe80::/10"],
  uniquelocal: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"]
}

/** An address as text without the IPv4-mapped prefix and zone that sockets give. */
export const plainAddress = (address: string): string => {
  const mapped = address.startsWith("::ffff:") && address.includes(".") ? address.slice(7) : address
  const zone = mapped.indexOf("%")
  return zone === -1 ? mapped : mapped.slice(0, zone)
}

const forwardedAddress = (text: string): string | undefined => {
  const trimmed = text.trim()
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed)?.[1]
  const candidate = bracketed ?? (/^[\d.]+:\d+$/.test(trimmed) ? trimmed.slice(0, trimmed.lastIndexOf(":")) : trimmed)
  const plain = plainAddress(candidate)
  return isIP(plain) === 0 ? undefined : plain
}

/** Most entries of X-Forwarded-For that are walked; a longer chain is the client's own invention. */
const maxHops = 20

/**
 * Says which peers are proxies of ours. Entries are `loopback`, `linklocal`, `uniquelocal`, addresses and CIDR
 * networks; an entry that is none of these throws a `TypeError` with the entry in its message.
 */
export const makeProxyTrust = (trustProxy: ReadonlyArray<string>): ((address: string) => boolean) => {
  const list = new BlockList()
  for (const entry of trustProxy.flatMap((entry) => named[entry] ?? [entry])) {
    const slash = entry.indexOf("/")
    const address = slash === -1 ? entry : entry.slice(0, slash)
    const version = isIP(address)
    if (version === 0) throw new TypeError(`trust_proxy: not an address, network or known name: ${entry}`)
    const family = version === 4 ? "ipv4" : "ipv6"
    if (slash === -1) list.addAddress(address, family)
    else list.addSubnet(address, Number(entry.slice(slash + 1)), family)
  }
  return (address) => {
    const version = isIP(address)
    return version !== 0 && list.check(address, version === 4 ? "ipv4" : "ipv6")
  }
}

/**
 * Says whom a request comes from. Only proxies on the list are believed: X-Forwarded-For is walked from the right for
 * as long as the hop that wrote the entry is trusted.
 */
export const makeClientAddress = (
  trustProxy: ReadonlyArray<string>
): ((peer: string | undefined, forwardedFor: string | undefined) => string) => {
  const isTrusted = makeProxyTrust(trustProxy)
  return (peer, forwardedFor) => {
    const direct = plainAddress(peer ?? "")
    if (forwardedFor === undefined || !isTrusted(direct)) return direct
    let client = direct
    const hops = forwardedFor.split(",").slice(-maxHops)
    for (let i = hops.length - 1; i >= 0; i--) {
      const hop = forwardedAddress(hops[i] as string)
      if (hop === undefined) return client
      client = hop
      if (!isTrusted(hop)) return client
    }
    return client
  }
}
