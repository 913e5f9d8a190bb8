import { isPublicAddress } from "@kinora/domain/network/PublicAddress"
import { lookup, type LookupAddress } from "node:dns"
import type { LookupFunction } from "node:net"

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
