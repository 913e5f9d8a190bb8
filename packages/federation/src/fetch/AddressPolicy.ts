import {
  isPublic,
  isWithin,
  loopbackNetworks,
  metadataNetworks,
  networks,
  privateNetworks
} from "@kinora/domain/network/PublicAddress"
import { Result } from "effect"
import { NetAddress } from "effect/net"

/**
 * Which addresses may be connected to.
 *
 * - `public`: globally reachable unicast addresses alone; for production.
 * - `public-and-private`: these, loopback and private networks: for instances that federate within a network of their
 *   own. Link-local addresses and those of cloud metadata services stay refused.
 * - `private`: loopback and private networks without any public address.
 * - `loopback`: loopback alone, every public address refused: for tests, so that none of them reaches the network.
 */
export type AddressMode = "public" | "public-and-private" | "private" | "loopback"

export type AddressVetting = (address: string) => boolean

const isPrivate = (address: NetAddress.IpAddress): boolean =>
  isWithin(loopbackNetworks, address) || (isWithin(privateNetworks, address) && !isWithin(metadataNetworks, address))

const allowed: Readonly<Record<AddressMode, (address: NetAddress.IpAddress) => boolean>> = {
  public: isPublic,
  "public-and-private": (address) => isPublic(address) || isPrivate(address),
  private: isPrivate,
  loopback: (address) => isWithin(loopbackNetworks, address)
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
    return Result.isSuccess(address) && allowed[mode](address.success) && !isWithin(more, address.success)
  }
}
