import { isIPv6 } from "node:net"

/** The address as IPv4 where it is one. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "")

/** What counts as one address: IPv6 networks of 64 bits are given to one household. */
const networkOf = (address: string): string => {
  if (!isIPv6(address)) return address
  const [head = "", tail] = address.split("%", 1)[0]!.split("::")
  const groups = head === "" ? [] : head.split(":")
  const behind = tail === undefined || tail === "" ? [] : tail.split(":")
  const filled =
    tail === undefined ? groups : [...groups, ...Array(8 - groups.length - behind.length).fill("0"), ...behind]
  return filled
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")
}

/** Counts connections, in all and by address. */
export class ConnectionCounts {
  readonly #all: number
  readonly #perAddress: number
  readonly #byNetwork = new Map<string, number>()
  #open = 0

  constructor(limits: { readonly connections: number; readonly connectionsPerAddress: number }) {
    this.#all = limits.connections
    this.#perAddress = limits.connectionsPerAddress
  }

  /** Takes a slot and returns what releases it. Undefined: no slot is free. */
  take(address: string): (() => void) | undefined {
    const network = networkOf(address)
    const held = this.#byNetwork.get(network) ?? 0
    if (this.#open >= this.#all || held >= this.#perAddress) return undefined
    this.#open++
    this.#byNetwork.set(network, held + 1)
    return () => {
      this.#open--
      const left = (this.#byNetwork.get(network) ?? 1) - 1
      if (left === 0) this.#byNetwork.delete(network)
      else this.#byNetwork.set(network, left)
    }
  }
}
