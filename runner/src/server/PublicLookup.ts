import { isPublicAddress } from "@kinora/domain/network/PublicAddress"
import { lookup, type LookupAddress } from "node:dns"
import type { LookupFunction } from "node:net"

/** Error code for a name that leads to a private address. */
export const refusedAddress = "EREFUSED_ADDRESS"

const refused = (name: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${name} is at an address of a private network`), { code: refusedAddress })

/**
 * Name lookup for sockets that only returns public addresses, so that the checked address is the one connected to. A
 * name with any private address is not object storage and is refused.
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
