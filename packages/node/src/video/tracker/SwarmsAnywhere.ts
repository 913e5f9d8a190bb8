import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { Place } from "@kinora/torrent/tracker/SocketClients"
import type { SocketPeer } from "@kinora/torrent/tracker/SocketPeer"
import { type Figures, Swarms } from "@kinora/torrent/tracker/Swarms"
import type { HttpAnnounce } from "@kinora/torrent/tracker/TrackerQuery"
import { Context, Duration, Effect, Layer, Option } from "effect"
import { randomUUID } from "node:crypto"
import { peerQueues } from "../../platform/cluster/PeerQueues.ts"
import { Peers } from "../../platform/cluster/Peers.ts"
import { socketsElsewhere } from "./SocketsElsewhere.ts"
import { swarmHomes } from "./SwarmHomes.ts"
import * as wire from "./SwarmMessages.ts"
import { type SocketFrame, swarmsHere } from "./SwarmsHere.ts"
import { TorrentRules } from "./TorrentRules.ts"

/** A web socket of a client of this node. */
export interface SwarmSocket {
  /** Passes a message on to the node of the swarm. */
  readonly receive: (frame: SocketFrame) => Effect.Effect<void>
  /** The web socket is closed: its peer leaves all swarms, wherever they are. */
  readonly leave: () => void
}

interface LocalSocket {
  readonly id: string
  readonly peer: SocketPeer
  readonly place: Place
  readonly address: string
  readonly port: number
  /** Other nodes that have something of it. */
  readonly homes: Set<string>
}

const callWithin = Duration.seconds(3)
const nobody: Figures = { complete: 0, incomplete: 0 }

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64")

/**
 * The swarms of the instance. Each is at one node; announces to others are passed to it, and offers and answers between browsers
 * back to the nodes that these are connected to. A node that does not answer is avoided, and its swarms begin anew elsewhere
 * with the next announces.
 */
export class SwarmsAnywhere extends Context.Service<
  SwarmsAnywhere,
  {
    /** The answer in bencode, or why there is none. */
    readonly announce: (announce: HttpAnnounce, address: string) => Effect.Effect<Uint8Array | string>
    readonly figures: (
      infoHashes: Iterable<string>
    ) => Effect.Effect<ReadonlyArray<readonly [infoHash: string, figures: Figures]>>
    readonly connect: (peer: SocketPeer, place: Place, address: string, port: number) => Effect.Effect<SwarmSocket>
    /** Removes what is no longer served, silent, or at another node by now. */
    readonly sweep: Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/node/video/tracker/SwarmsAnywhere") {
  static readonly layer = Layer.effect(
    SwarmsAnywhere,
    Effect.gen(function* () {
      const peers = yield* Peers
      const swarms = yield* Swarms
      const rules = yield* TorrentRules
      const homes = yield* swarmHomes
      const here = yield* swarmsHere
      /** Of one start of this node: names of web sockets come again with the next. */
      const run = randomUUID()
      const sockets = new Map<string, LocalSocket>()
      let sequence = 0

      const toSockets = yield* peerQueues<wire.ToSocket>(wire.calls.toSocket, { onFailed: homes.avoid })
      const elsewhere = yield* socketsElsewhere(here, toSockets)

      const receive = Effect.fnUntraced(function* (socket: LocalSocket, frame: SocketFrame) {
        const home = yield* homes.of(frame.infoHash)
        if (home === homes.own) return yield* here.receive(socket.place, socket.peer.socket, frame)
        socket.homes.add(home)
        const { address, id, port } = socket
        toSwarms.send(home, { socket: id, address, port, frame }, frame.text.length)
      })

      const toSwarms = yield* peerQueues<wire.ToSwarm>(wire.calls.toSwarm, {
        wrap: (messages) => ({ node: homes.own, run, messages }),
        onFailed: Effect.fnUntraced(function* (node, messages) {
          yield* homes.avoid(node)
          for (const message of messages) {
            const socket = sockets.get(message.socket)
            if (socket !== undefined && "frame" in message) yield* receive(socket, message.frame)
          }
        })
      })

      yield* peers.answer(wire.calls.toSocket, (input) =>
        Effect.map(Effect.orDie(wire.decodeToSocket(input)), (messages) => {
          for (const { socket, text } of messages) sockets.get(socket)?.peer.send(text)
        })
      )
      yield* peers.answer(wire.calls.announce, (input) =>
        Effect.orDie(wire.decodeHttpAnnounce(input)).pipe(
          Effect.flatMap(({ address, announce }) =>
            here.announce({ ...announce, left: announce.left, event: announce.event }, address)
          ),
          Effect.map((answer) => (typeof answer === "string" ? { refused: answer } : { base64: base64(answer) }))
        )
      )
      yield* peers.answer(wire.calls.figures, (input) =>
        Effect.map(Effect.orDie(wire.decodeHashes(input)), (infoHashes) =>
          infoHashes.map((infoHash) => ({ infoHash, ...here.figures(infoHash) }))
        )
      )

      /** Asks a node. One that does not answer is avoided. */
      const ask = (node: string, name: string, input: unknown) =>
        Effect.option(Effect.timeout(peers.call(node, name, input), callWithin)).pipe(
          Effect.tap((given) => (Option.isNone(given) ? homes.avoid(node) : Effect.void))
        )

      const announce: SwarmsAnywhere["Service"]["announce"] = Effect.fnUntraced(function* (announced, address) {
        for (;;) {
          const home = yield* homes.of(announced.infoHash)
          if (home === homes.own) return yield* here.announce(announced, address)
          const given = yield* ask(home, wire.calls.announce, { announce: announced, address })
          if (Option.isNone(given)) continue
          const answer = yield* Effect.orDie(wire.decodeHttpAnswer(given.value))
          return "refused" in answer ? answer.refused : Buffer.from(answer.base64, "base64")
        }
      })

      const figuresAt = Effect.fnUntraced(function* (home: string, infoHashes: ReadonlyArray<string>) {
        if (home === homes.own) return infoHashes.map((infoHash) => [infoHash, here.figures(infoHash)] as const)
        const given = yield* ask(home, wire.calls.figures, infoHashes)
        const found = Option.isNone(given) ? [] : yield* Effect.orDie(wire.decodeFigures(given.value))
        const known = new Map(found.map(({ infoHash, ...figures }) => [infoHash, figures]))
        return infoHashes.map((infoHash) => [infoHash, known.get(infoHash) ?? nobody] as const)
      })

      const homesOf = Effect.fnUntraced(function* (infoHashes: Iterable<string>) {
        const byHome = new Map<string, Array<string>>()
        for (const infoHash of infoHashes) {
          const home = yield* homes.of(infoHash)
          const its = byHome.get(home)
          if (its === undefined) byHome.set(home, [infoHash])
          else its.push(infoHash)
        }
        return byHome
      })

      const connect: SwarmsAnywhere["Service"]["connect"] = Effect.fnUntraced(function* (peer, place, address, port) {
        yield* swarms.connect(peer.socket)
        const id = String(++sequence)
        const socket: LocalSocket = { id, peer, place, address, port, homes: new Set() }
        sockets.set(id, socket)
        return {
          receive: (frame) => receive(socket, frame),
          leave: () => {
            sockets.delete(id)
            for (const home of socket.homes) toSwarms.send(home, { socket: id, closed: true }, 1)
          }
        }
      })

      return SwarmsAnywhere.of({
        announce,
        figures: Effect.fnUntraced(function* (infoHashes) {
          const found = yield* Effect.forEach(yield* homesOf(infoHashes), ([home, its]) => figuresAt(home, its), {
            concurrency: "unbounded"
          })
          return found.flat()
        }),
        connect,
        sweep: Effect.gen(function* () {
          yield* swarms.sweep((infoHashes) =>
            Effect.zipWith(
              rules.allowed(infoHashes),
              homesOf(infoHashes),
              (allowed, byHome) => new Set(byHome.get(homes.own)?.filter((infoHash) => allowed.has(infoHash)))
            )
          )
          yield* elsewhere.sweep(homes.isAlive)
        })
      })
    })
  )
}
