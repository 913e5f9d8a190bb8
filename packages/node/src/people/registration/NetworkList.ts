import { BlockList, isIP } from "node:net"

/**
 * Whether an address is in one of the networks: addresses and CIDR networks, IPv4 and IPv6, as checked by the
 * configuration. Text that is not an address is in none.
 */
export const networkList = (networks: ReadonlyArray<string>): ((address: string) => boolean) => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = "", length] = network.split("/", 2)
    const family = isIP(address) === 4 ? "ipv4" : "ipv6"
    if (length === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(length), family)
  }
  return (address) => {
    const version = isIP(address)
    return version !== 0 && list.check(address, version === 4 ? "ipv4" : "ipv6")
  }
}
