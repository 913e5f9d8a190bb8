import type { Delivery } from "@kinora/storage/federation/outbox/Deliveries"

/** What a host is sent next: each chain in its order, chains beside each other. */
export interface DeliveryChains {
  readonly chains: ReadonlyArray<ReadonlyArray<Delivery>>
  /** Updates that a later activity about the same thing makes pointless. */
  readonly superseded: ReadonlyArray<Delivery>
}

/** Groups deliveries, in the order they are due, by inbox and by what they are about. */
export const chainsOf = (due: ReadonlyArray<Delivery>): DeliveryChains => {
  const byThing = new Map<string, Array<Delivery>>()
  for (const delivery of due) {
    const key = delivery.thing === null ? delivery.id : `${delivery.inboxUrl} ${delivery.thing}`
    const chain = byThing.get(key)
    if (chain === undefined) byThing.set(key, [delivery])
    else chain.push(delivery)
  }
  const superseded: Array<Delivery> = []
  const chains: Array<ReadonlyArray<Delivery>> = []
  for (const chain of byThing.values()) {
    const left = chain.filter((delivery, i) => {
      const later = chain.slice(i + 1).some(({ type }) => type === "Update" || type === "Delete")
      if (delivery.type === "Update" && later) superseded.push(delivery)
      return delivery.type !== "Update" || !later
    })
    chains.push(left)
  }
  return { chains, superseded }
}
