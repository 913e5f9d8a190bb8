import { Clock, Duration, Effect, type Scope } from "effect"
import { randomBytes } from "node:crypto"
import { createSocket, type RemoteInfo, type Socket } from "node:dgram"
import { isIPv6 } from "node:net"
import { ListenError } from "../ListenError.ts"
import { selfSigned } from "./dtls/SelfSigned.ts"
import { Malformed } from "./bytes/Malformed.ts"
import type { MediaEvents } from "./MediaAssembly.ts"
import { Peer, type PeerEnd } from "./Peer.ts"
import { writeAnswer } from "./sdp/Answer.ts"
import type { Offer } from "./sdp/Offer.ts"
import { type PeerAddress, stunAnswer } from "./stun/StunAnswer.ts"
import { isAuthentic, readStunRequest } from "./stun/StunRequest.ts"

export interface WebRtcOptions {
  readonly host: string
  readonly port: number
  /** Addresses at which peers reach the port, the best one first. @param bound the one that is listened on */
  readonly addresses: (bound: string) => ReadonlyArray<string>
}

/** What a publisher agreed on, besides what it offers. Times are in milliseconds. */
export interface SessionSettings {
  readonly keyframeInterval: number
  readonly connectTime: number
  readonly idleTime: number
}

export interface SessionEvents extends MediaEvents {
  /** Runs once. */
  readonly ended: (end: PeerEnd) => void
}

/** A publisher that was answered. */
export interface WebRtcSession {
  readonly answer: string
  readonly end: (end: PeerEnd) => void
}

export interface WebRtcServer {
  readonly port: number
  /** Answers an offer, and takes the connection that follows. */
  readonly accept: (offer: Offer, settings: SessionSettings, events: SessionEvents) => WebRtcSession
}

interface Known {
  readonly peer: Peer
  readonly password: string
  /** Addresses that ICE has shown to be the peer's. */
  readonly addresses: Set<string>
  /** Where we send to. */
  to: PeerAddress | undefined
}

const tick = Duration.millis(20)
/** While there are no sessions. */
const rest = Duration.millis(500)
/** A peer may have several networks, and changes between them. */
const maxAddresses = 8
/** The kernel keeps so many bytes while the process is busy. */
const receiveBuffer = 4 * 1024 * 1024

const keyOf = ({ address, port }: PeerAddress): string => `${address} ${port}`

/** Letters that need no escape: 4 bits of chance in each (RFC 8839, 5.4). */
const randomText = (bytes: number): string => randomBytes(bytes).toString("hex")

/** All sessions behind one port of UDP. A session is found by ICE, and then by the addresses that ICE has shown. */
class Sessions {
  readonly #certificate
  readonly #socket: Socket
  readonly #options: WebRtcOptions
  readonly #millis: () => number
  readonly #onDefect: (defect: unknown) => void
  readonly #byFragment = new Map<string, Known>()
  readonly #byAddress = new Map<string, Known>()

  constructor(socket: Socket, options: WebRtcOptions, clock: Clock.Clock, onDefect: (defect: unknown) => void) {
    this.#socket = socket
    this.#options = options
    this.#onDefect = onDefect
    this.#millis = () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
    this.#certificate = selfSigned(clock.currentTimeMillisUnsafe())
  }

  accept(offer: Offer, settings: SessionSettings, events: SessionEvents): WebRtcSession {
    const fragment = randomText(8)
    const password = randomText(16)
    const peer = new Peer(
      { offer, certificate: this.#certificate, ...settings },
      {
        ...events,
        send: (datagram) => this.#send(known, datagram),
        ended: (end) => {
          this.#byFragment.delete(fragment)
          for (const address of known.addresses) this.#forget(address, known)
          events.ended(end)
        }
      },
      this.#millis()
    )
    const known: Known = { peer, password, addresses: new Set(), to: undefined }
    this.#byFragment.set(fragment, known)
    const bound = this.#socket.address()
    const answer = writeAnswer(offer, {
      id: randomBytes(6).readUIntBE(0, 6),
      fragment,
      password,
      fingerprint: this.#certificate.fingerprint,
      addresses: this.#options.addresses(bound.address),
      port: bound.port
    })
    return { answer, end: (end) => peer.end(end) }
  }

  take(datagram: Buffer, { address, port }: RemoteInfo): void {
    const from = { address, port }
    if (datagram.length === 0 || datagram[0]! <= 3) return this.#check(datagram, from)
    const known = this.#byAddress.get(keyOf(from))
    if (known !== undefined) this.#guarded(known.peer, () => known.peer.take(datagram, this.#millis()))
  }

  get isEmpty(): boolean {
    return this.#byFragment.size === 0
  }

  tick(): void {
    const now = this.#millis()
    for (const { peer } of [...this.#byFragment.values()]) this.#guarded(peer, () => peer.tick(now))
  }

  close(): void {
    for (const { peer } of [...this.#byFragment.values()]) peer.end({ end: "lost", detail: "the listener closed" })
  }

  /** A defect ends this session, and nothing else. */
  #guarded(peer: Peer, work: () => void): void {
    try {
      work()
    } catch (defect) {
      this.#onDefect(defect)
      peer.end({ end: "malformed", detail: "a defect" })
    }
  }

  #check(datagram: Buffer, from: PeerAddress): void {
    try {
      const request = readStunRequest(datagram)
      if (request === undefined) return
      const known = this.#byFragment.get(request.localFragment)
      if (known === undefined || !isAuthentic(datagram, request, known.password)) return
      this.#learn(known, from)
      if (request.nominates || known.to === undefined) known.to = from
      this.#socket.send(stunAnswer(request, from, known.password), from.port, from.address)
    } catch (error) {
      if (!(error instanceof Malformed)) throw error
    }
  }

  #learn(known: Known, from: PeerAddress): void {
    const key = keyOf(from)
    if (known.addresses.has(key)) return
    const [oldest] = known.addresses
    if (known.addresses.size >= maxAddresses && oldest !== undefined) {
      known.addresses.delete(oldest)
      this.#forget(oldest, known)
    }
    known.addresses.add(key)
    this.#byAddress.set(key, known)
  }

  /** The address may be that of another session by now. */
  #forget(address: string, known: Known): void {
    if (this.#byAddress.get(address) === known) this.#byAddress.delete(address)
  }

  #send({ to }: Known, datagram: Uint8Array): void {
    if (to !== undefined) this.#socket.send(datagram, to.port, to.address)
  }
}

/**
 * Listens for publishers by WebRTC, on one port of UDP, until the scope closes, which ends all connections. There is nothing
 * to discover on our side (ICE-lite, RFC 8445): the peer checks the addresses in the answer.
 */
export const listenWebRtc = Effect.fnUntraced(function* (
  options: WebRtcOptions
): Effect.fn.Return<WebRtcServer, ListenError, Scope.Scope> {
  const clock = yield* Clock.Clock
  const warn = Effect.runForkWith(yield* Effect.context<never>())
  const fail = (cause: Error) =>
    new ListenError({ message: `WebRTC cannot listen on ${options.host}:${options.port}: ${cause.message}`, cause })
  const socket = createSocket({ type: isIPv6(options.host) ? "udp6" : "udp4" })
  yield* Effect.acquireRelease(
    Effect.callback<void, ListenError>((resume) => {
      socket.once("error", (cause) => resume(Effect.fail(fail(cause))))
      socket.bind({ port: options.port, address: options.host }, () => {
        socket.removeAllListeners("error")
        resume(Effect.void)
      })
    }),
    () => Effect.callback<void>((resume) => void socket.close(() => resume(Effect.void)))
  )
  // A host or network that is away is the peer's matter: it is silent then.
  socket.on("error", (cause) => warn(Effect.logDebug("WebRTC could not send", cause)))
  socket.setRecvBufferSize(receiveBuffer)
  const sessions = new Sessions(socket, options, clock, (defect) =>
    warn(Effect.logError("A session of WebRTC died", defect))
  )
  socket.on("message", (datagram, from) => sessions.take(datagram, from))
  yield* Effect.addFinalizer(() => Effect.sync(() => sessions.close()))
  yield* Effect.forkScoped(
    Effect.forever(
      Effect.suspend(() => {
        sessions.tick()
        return Effect.sleep(sessions.isEmpty ? rest : tick)
      })
    )
  )
  return {
    port: socket.address().port,
    accept: (offer, settings, events) => sessions.accept(offer, settings, events)
  }
})
