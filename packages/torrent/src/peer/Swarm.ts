import { Clock, Deferred, Effect, type Scope, Semaphore } from "effect"
import { randomBytes } from "node:crypto"
import { type Endpoint, isPeerPort } from "../network/Endpoint.ts"
import type { TorrentNetwork } from "../network/TorrentNetwork.ts"
import type { TorrentOptions } from "../network/TorrentOptions.ts"
import { makeCandidates, type PeerOutcome } from "./Candidates.ts"
import { type Session, startSession } from "./PeerSession.ts"
import type { Pieces } from "./Pieces.ts"

/** Bytes of metadata in transfer, for all peers together. */
const metadataMemory = 32 * 1024 * 1024
/** Connections opened at the same time: meanwhile each uses one of the request slots of the process. */
const dials = 8
const tickMillis = 1_000
/** Milliseconds between two checks of a free slot for waiting peers. */
const idleMillis = 200

export interface Swarm {
  readonly offer: (endpoint: Endpoint) => void
  /** Called when the pieces are known. */
  readonly begin: (pieces: Pieces) => void
  /** Called when memory is available again. */
  readonly wake: () => void
  /** The info dictionary, once a peer has sent it. */
  readonly metadata: Effect.Effect<Uint8Array>
  /** Whether a peer is connected, or may become so. */
  readonly hasPeers: () => boolean
  /** Whether the network allowed an attempt to connect to any peer. */
  readonly tried: () => boolean
  /** Why the network refused the first refused peer. */
  readonly refused: () => string | undefined
  readonly peerId: Uint8Array
}

/**
 * Keeps connections to known peers that answer, each to a vetted address, as many as the options allow. All are closed
 * with the scope.
 */
export const makeSwarm = Effect.fnUntraced(function* (
  network: TorrentNetwork["Service"],
  infoHash: string,
  options: TorrentOptions
): Effect.fn.Return<Swarm, never, Scope.Scope> {
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  const metadata = yield* Deferred.make<Uint8Array>()
  const candidates = makeCandidates()
  const dialling = yield* Semaphore.make(dials)
  const sessions = new Map<Session, Endpoint>()
  const peerId = Buffer.concat([Buffer.from("-KN0100-"), randomBytes(12)])
  let pieces: Pieces | undefined
  let reserved = 0
  let tried = false
  let refused: string | undefined

  const refuse = (detail: string): PeerOutcome => {
    refused ??= detail
    return "banned"
  }

  const wake = () => {
    for (const session of sessions.keys()) session.wake()
  }

  /** A banned address is responsible for all its ports. */
  const expel = (hostname: string) => {
    for (const [session, endpoint] of sessions) if (endpoint.hostname === hostname) session.leave()
  }

  const host = {
    infoHash,
    peerId,
    options,
    now,
    pieces: () => pieces,
    reserveMetadata: (bytes: number) => {
      if (reserved + bytes > metadataMemory) return false
      reserved += bytes
      return true
    },
    releaseMetadata: (bytes: number) => {
      reserved -= bytes
    },
    metadata: (info: Uint8Array) => {
      Deferred.doneUnsafe(metadata, Effect.succeed(info))
    },
    isAwaited: () => candidates.waiting() > 0
  }

  const converse = Effect.fnUntraced(function* (endpoint: Endpoint) {
    const socket = yield* dialling.withPermits(1)(network.connect(endpoint))
    return yield* Effect.callback<PeerOutcome>((resume) => {
      const session = startSession(socket, host, (end) => {
        sessions.delete(session)
        if (end === "hostile") expel(endpoint.hostname)
        // Others may now download what this one was downloading.
        wake()
        resume(Effect.succeed(end === "hostile" ? "banned" : session.wasUseful() ? "useful" : "useless"))
      })
      sessions.set(session, endpoint)
      return Effect.sync(() => {
        sessions.delete(session)
        session.close()
      })
    })
  }, Effect.scoped)

  const serve = Effect.gen(function* () {
    const endpoint = candidates.take()
    if (endpoint === undefined) return yield* Effect.sleep(idleMillis)
    const end = yield* converse(endpoint).pipe(
      Effect.tapError((error) => Effect.sync(() => void (tried ||= error._tag !== "NetworkRefused"))),
      Effect.tap(() => Effect.sync(() => void (tried = true))),
      Effect.catchTag("NetworkRefused", ({ detail }) => Effect.sync(() => refuse(detail))),
      Effect.orElseSucceed(() => "useless" as const)
    )
    candidates.left(endpoint, end, now())
  })

  const tick = Effect.gen(function* () {
    yield* Effect.sleep(tickMillis)
    candidates.tick(now())
    const starved = pieces?.starved() === true
    for (const session of [...sessions.keys()]) session.tick(starved)
  })

  for (let n = 0; n < options.connections; n++) yield* Effect.forkScoped(Effect.forever(serve))
  yield* Effect.forkScoped(Effect.forever(tick))

  return {
    offer: (endpoint) => {
      if (isPeerPort(endpoint.port)) candidates.offer(endpoint)
      else refuse(`port ${endpoint.port}`)
    },
    begin: (known) => {
      pieces = known
      wake()
    },
    wake,
    metadata: Deferred.await(metadata),
    hasPeers: () => sessions.size > 0 || candidates.hasPeers(),
    tried: () => tried,
    refused: () => refused,
    peerId
  }
})
