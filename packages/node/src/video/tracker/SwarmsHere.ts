import { type Place, SocketClients } from "@kinora/torrent/tracker/SocketClients"
import type { SocketPeer } from "@kinora/torrent/tracker/SocketPeer"
import { Swarms } from "@kinora/torrent/tracker/Swarms"
import type { HttpAnnounce } from "@kinora/torrent/tracker/TrackerQuery"
import { Effect } from "effect"

/** Why a client may not join a swarm, as text that clients show. */
export const refusals = {
  unknown: "this torrent is not tracked here",
  full: "the tracker is full",
  often: "too many announces",
  taken: "peer_id belongs to somebody else"
} as const

/** An announce of a web socket for the tracker library. */
export interface SocketFrame {
  /** 40 hexadecimal digits each. */
  readonly infoHash: string
  readonly peerId: string
  /** Whether it answers an offer, and is no announce. */
  readonly isAnswer: boolean
  /** The message as the library takes it. */
  readonly text: string
}

/** A refusal as a browser gets it. `infoHash` has 40 hexadecimal digits. */
export const refusalFrame = (reason: string, infoHash?: string): string =>
  JSON.stringify({
    ...(infoHash === undefined
      ? {}
      : { action: "announce", info_hash: Buffer.from(infoHash, "hex").toString("latin1") }),
    "failure reason": reason
  })

/** Takes announces to swarms of this node, from its own clients and those of others. */
export const swarmsHere = Effect.gen(function* () {
  const swarms = yield* Swarms
  const clients = yield* SocketClients

  return {
    /** The answer in bencode, or why there is none. `address` is the client's. */
    announce: Effect.fnUntraced(function* (announce: HttpAnnounce, address: string) {
      if (!(yield* swarms.hasRoom(announce.infoHash))) return refusals.full
      if (!(yield* swarms.mayAnnounce(announce, address))) return refusals.often
      return yield* swarms.announce(announce, address)
    }),

    /** Passes a web socket's message to the library, or sends the refusal. */
    receive: Effect.fnUntraced(function* (place: Place, socket: SocketPeer["socket"], frame: SocketFrame) {
      const refused = !clients.claim(place, frame.peerId)
        ? refusals.taken
        : frame.isAnswer || (yield* swarms.hasRoom(frame.infoHash))
          ? undefined
          : refusals.full
      if (refused !== undefined) return socket.send(refusalFrame(refused, frame.infoHash))
      socket.emit("message", frame.text)
    }),

    figures: swarms.figures
  }
})
export type SwarmsHere = Effect.Success<typeof swarmsHere>
