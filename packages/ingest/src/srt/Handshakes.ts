import { Duration, Effect, Redacted, type Scope } from "effect"
import { ConnectionCounts, plainAddress } from "../rtmp/ConnectionCounts.ts"
import { acceptance, inductionAnswer, type Peer, rejectionAnswer } from "./Answers.ts"
import { readConclusion, type Terms } from "./Conclusion.ts"
import { Connection, millisOf } from "./Connection.ts"
import { type Encryption, makeEncryption } from "./Encryption.ts"
import { type Handshake, handshakeType, readHandshake } from "./Handshake.ts"
import type { Listener } from "./OpenConnections.ts"
import { Rejected, rejectedAs } from "./Rejected.ts"
import { rejection } from "./Rejection.ts"
import type { SrtHandlers } from "./SrtHandlers.ts"
import { SynCookie } from "./SynCookie.ts"

/** A peer that was rejected takes a place for so long: whoever tries keys or passphrases has to wait. */
const penalty = Duration.seconds(1)

/** A caller that returned its cookie. */
interface Caller {
  readonly asked: Handshake
  readonly peer: Peer
  /** What was answered: callers repeat what they ask when the answer is lost. */
  answer: Buffer | undefined
}

/** The handshakes of a listener, each of which becomes a connection or is rejected. */
export const makeHandshakes = Effect.fnUntraced(function* (listener: Listener, handlers: SrtHandlers) {
  const { clock, connections, limits, passphrase, send } = listener
  const cookies = new SynCookie()
  const callers = new Map<string, Caller>()
  const deciding = new ConnectionCounts({
    connections: limits.handshakes,
    connectionsPerAddress: limits.handshakesPerAddress
  })
  const publishing = new ConnectionCounts(limits)
  const encryptionOf = yield* makeEncryption(passphrase)

  const place = (address: string): Effect.Effect<unknown, Rejected, Scope.Scope> =>
    Effect.acquireRelease(
      Effect.suspend(() => {
        const release = publishing.take(address)
        return release === undefined
          ? Effect.fail(new Rejected({ code: rejection.resource, detail: "too many publishers" }))
          : Effect.succeed(release)
      }),
      (release) => Effect.sync(release)
    )

  const latencyOf = ({ latency }: Terms): number => {
    const least = Duration.toMillis(Duration.fromInputUnsafe(limits.latency))
    const most = Duration.toMillis(Duration.fromInputUnsafe(limits.longestLatency))
    return Math.min(Math.max(least, latency), most)
  }

  /** The connection of a publisher whose key was taken, to its end. */
  const connection = (caller: Caller, terms: Terms, encryption: Encryption | undefined) => {
    const { asked, peer } = caller
    const latency = latencyOf(terms)
    const made = new Connection(
      {
        ...{ peer: terms.peer, first: terms.sequence, latency, capacity: limits.packets, encryption },
        peerTime: Duration.toMillis(Duration.fromInputUnsafe(limits.peerTime)),
        idleTime: Duration.fromInputUnsafe(limits.idleTime),
        send: (bytes) => send(bytes, peer)
      },
      clock
    )
    const socketId = connections.newId()
    const remove = connections.add(socketId, made, peer)
    const { keyMaterial } = terms
    caller.answer = acceptance(asked, { socketId, latency, flowWindow: limits.packets, keyMaterial }, peer)
    send(caller.answer, peer)
    return { made, remove }
  }

  /** Decides about a caller, and serves it when it is let in. `decided` is called once it is. */
  const serve = (caller: Caller, decided: () => void): Effect.Effect<void> => {
    const { asked, peer } = caller
    const address = plainAddress(peer.address)
    const session = Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const terms = readConclusion(asked)
        if (typeof terms === "number") return yield* new Rejected({ code: terms, detail: "cannot be served" })
        const encryption = yield* restore(encryptionOf(terms.keyMaterial))
        yield* place(address)
        const request = { protocol: "srt", app: "", key: Redacted.make(terms.streamKey), address } as const
        const publisher = yield* restore(Effect.mapError(handlers.publish(request), rejectedAs))
        const { made, remove } = connection(caller, terms, encryption)
        decided()
        yield* Effect.ensuring(made.serve(publisher, restore), Effect.sync(remove))
      })
    )
    return Effect.scoped(session).pipe(
      Effect.catchTag("Rejected", ({ code, detail }) => {
        caller.answer = rejectionAnswer(asked, code, peer)
        send(caller.answer, peer)
        return Effect.andThen(Effect.logDebug(`SRT publisher rejected (${code}): ${detail}`), Effect.sleep(penalty))
      }),
      Effect.catchDefect((defect) => Effect.logError("An SRT connection died", defect)),
      Effect.annotateLogs({ protocol: "srt", address })
    )
  }

  const conclude = (asked: Handshake, peer: Peer): Effect.Effect<void> | undefined => {
    const { address, port } = peer
    if (!cookies.matches(asked.cookie, address, port, millisOf(clock))) return undefined
    const name = `${address}|${port}|${asked.socketId}`
    const known = callers.get(name)
    if (known !== undefined) {
      if (known.answer !== undefined) send(known.answer, peer)
      return undefined
    }
    const release = deciding.take(plainAddress(address))
    if (release === undefined) {
      send(rejectionAnswer(asked, rejection.backlog, peer), peer)
      return undefined
    }
    const caller: Caller = { asked, peer, answer: undefined }
    callers.set(name, caller)
    let isDeciding = true
    const decided = () => {
      if (isDeciding) release()
      isDeciding = false
    }
    const forget = () => {
      decided()
      callers.delete(name)
    }
    return Effect.ensuring(serve(caller, decided), Effect.sync(forget))
  }

  return {
    /** Takes the body of a handshake packet. What it returns has to be run. */
    take: (body: Buffer, peer: Peer): Effect.Effect<void> | undefined => {
      const asked = readHandshake(body)
      if (asked?.type === handshakeType.conclusion) return conclude(asked, peer)
      if (asked?.type !== handshakeType.induction) return undefined
      send(inductionAnswer(asked, cookies.make(peer.address, peer.port, millisOf(clock)), peer), peer)
      return undefined
    }
  }
})
