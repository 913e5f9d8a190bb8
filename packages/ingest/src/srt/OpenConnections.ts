import { type Clock, Effect, Latch } from "effect"
import { randomInt } from "node:crypto"
import type { Peer } from "./Answers.ts"
import type { Connection } from "./Connection.ts"
import type { SrtLimits } from "./SrtLimits.ts"
import type { ControlPacket, DataPacket } from "./SrtPacket.ts"

/** What all connections of a listener share. */
export interface Listener {
  readonly limits: SrtLimits
  readonly passphrase: string | undefined
  readonly connections: OpenConnections
  readonly clock: Clock.Clock
  readonly send: (bytes: Buffer, to: Peer) => void
}

interface Open {
  readonly connection: Connection
  readonly peer: Peer
}

/** Socket ids have 30 bits. */
const largestId = 2 ** 30

/** The connections of a listener, by their socket ids. */
export class OpenConnections {
  readonly #open = new Map<number, Open>()
  readonly #some = Latch.makeUnsafe(false)

  /** Waits until there are connections. */
  readonly some: Effect.Effect<void> = this.#some.await

  /** Lets the time of all connections go on. */
  readonly tick: Effect.Effect<void> = Effect.sync(() => {
    for (const { connection } of this.#open.values()) connection.tick()
  })

  /** An id that no connection has and nobody guesses. */
  newId(): number {
    for (;;) {
      const id = randomInt(1, largestId)
      if (!this.#open.has(id)) return id
    }
  }

  /** Adds a connection, and returns what removes it. */
  add(id: number, connection: Connection, peer: Peer): () => void {
    this.#open.set(id, { connection, peer })
    this.#some.openUnsafe()
    return () => {
      this.#open.delete(id)
      if (this.#open.size === 0) this.#some.closeUnsafe()
    }
  }

  /** Hands a packet to its connection, if it comes from the address that the connection began from. */
  take(packet: DataPacket | ControlPacket, { address, port }: Peer): void {
    const open = this.#open.get(packet.socketId)
    if (open?.peer.address === address && open.peer.port === port) open.connection.take(packet)
  }
}
