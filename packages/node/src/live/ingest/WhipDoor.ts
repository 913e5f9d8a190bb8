import {
  AlreadyPublishing,
  LiveNotEnabled,
  OfferMalformed,
  OfferNotTaken,
  PublicationNotFound,
  PublishingRefused,
  PublishingUnavailable,
  StreamKeyUnknown
} from "@kinora/domain/errors/LiveErrors"
import { LiveError, LiveLatencyMode } from "@kinora/domain/enums/Live"
import { RateLimited } from "@kinora/domain/errors/RequestErrors"
import type { PublishEnd, PublishRefused, PublishRequest } from "@kinora/ingest/Publisher"
import { Malformed } from "@kinora/ingest/webrtc/bytes/Malformed"
import type { PeerEnd } from "@kinora/ingest/webrtc/Peer"
import { type Offer, OfferRefused, readOffer } from "@kinora/ingest/webrtc/sdp/Offer"
import type { WebRtcServer, WebRtcSession } from "@kinora/ingest/webrtc/WebRtcServer"
import { RemuxToFlv } from "@kinora/media/live/RemuxToFlv"
import { Context, Deferred, Duration, Effect, FiberSet, Layer, type Redacted, type Scope } from "effect"
import { randomBytes, timingSafeEqual } from "node:crypto"
import { keyDigest } from "../key/LiveKeys.ts"
import { type LiveEnd, publisherLeft } from "../session/LiveEnd.ts"
import { RunningLives } from "../session/RunningLives.ts"
import { LiveSettings } from "../settings/LiveSettings.ts"
import { makeMediaQueue } from "./MediaQueue.ts"
import { passMedia } from "./WhipPublication.ts"

/** Publishers that were answered, connected or not. */
const maxSessions = 100
const connectTime = 15_000
/** Publications whose connection is gone, and that programs end after they have closed it. */
const maxLeft = 1000
const leftFor = Duration.seconds(60)
/** A publisher whose network is away comes back by itself; until then the live shows that it is cut off. */
const idleTime = 10_000
const keyframeInterval = { short: 1000, usual: 2000 }

/** What somebody offers to publish. */
export interface WhipRequest {
  readonly key: Redacted.Redacted<string>
  readonly address: string
  readonly offer: string
}

/** What a publisher gets. */
export interface WhipAnswer {
  /** Names the publication. */
  readonly id: string
  /** The session description. */
  readonly answer: string
}

export type WhipRefused =
  | LiveNotEnabled
  | StreamKeyUnknown
  | RateLimited
  | AlreadyPublishing
  | PublishingRefused
  | PublishingUnavailable
  | OfferMalformed
  | OfferNotTaken

interface Publication {
  readonly digest: Uint8Array
  readonly videoId: number
  readonly session: WebRtcSession
  /** Whether the session of the live began. */
  begun: boolean
}

const refusalOf = ({ reason, why }: PublishRefused): WhipRefused => {
  switch (why) {
    case "key":
      return new StreamKeyUnknown()
    case "limit":
      return new RateLimited({ retryAfterSeconds: 60 })
    case "busy":
      return new AlreadyPublishing()
    case "unavailable":
      return new PublishingUnavailable()
    default:
      return new PublishingRefused({ reason })
  }
}

const unreadable = (detail: string): LiveEnd => ({
  error: LiveError.invalidInput,
  reason: `The stream cannot go on: ${detail}`
})

/** How the connection ended; if it has not, our side cannot go on with it, and the publisher may come anew. */
const endOf = (how: Deferred.Deferred<PublishEnd>): Effect.Effect<PublishEnd> =>
  Effect.flatMap(Deferred.isDone(how), (done) => (done ? Deferred.await(how) : Effect.succeed<PublishEnd>("lost")))

const offerOf = (text: string): Effect.Effect<Offer, OfferMalformed | OfferNotTaken> =>
  Effect.suspend((): Effect.Effect<Offer, OfferMalformed | OfferNotTaken> => {
    try {
      return Effect.succeed(readOffer(text))
    } catch (error) {
      if (error instanceof OfferRefused) return Effect.fail(new OfferNotTaken({ reason: error.message }))
      if (error instanceof Malformed) return Effect.fail(new OfferMalformed({ reason: error.message }))
      throw error
    }
  })

const make = Effect.gen(function* () {
  const settings = yield* LiveSettings
  const lives = yield* RunningLives
  const remux = yield* RemuxToFlv
  const publications = new Map<string, Publication>()
  const left = new Map<string, Publication>()
  const run = yield* FiberSet.makeRuntime<never, void, never>()
  let server: WebRtcServer | undefined

  /** Keeps what has lost its connection for a while. */
  const leave = (id: string, publication: Publication): void => {
    if (!publication.begun || left.size >= maxLeft) return
    left.set(id, publication)
    run(
      Effect.andThen(
        Effect.sleep(leftFor),
        Effect.sync(() => void left.delete(id))
      )
    )
  }

  /** Begins the session of the live with the first frame: who only connects begins nothing. */
  const serve = Effect.fnUntraced(function* (
    request: PublishRequest,
    begun: Deferred.Deferred<void>,
    how: Deferred.Deferred<PublishEnd>,
    media: Effect.Success<typeof makeMediaQueue>,
    close: (reason: string) => void
  ) {
    yield* Effect.raceFirst(Deferred.await(begun), Deferred.await(how))
    if (!(yield* Deferred.isDone(begun))) return
    const publisher = yield* lives.publish(request)
    const reason = yield* passMedia(remux, media, publisher, how).pipe(
      Effect.catchTag("ToolMissing", (error) => Effect.as(Effect.logError(error.message), "ffmpeg is missing")),
      Effect.onExit(() => Effect.flatMap(endOf(how), publisher.ended))
    )
    if (reason !== undefined) close(reason)
  })

  const publish = Effect.fn("WhipDoor.publish")(function* ({ address, key, offer: text }: WhipRequest) {
    if (!settings.whip.enabled) return yield* new LiveNotEnabled()
    const request: PublishRequest = { protocol: "whip", app: "live", key, address }
    const live = yield* Effect.mapError(lives.check(request), refusalOf)
    const offer = yield* offerOf(text)
    if (server === undefined || publications.size >= maxSessions) return yield* new PublishingUnavailable()
    // Who comes anew has given up what has not connected yet.
    for (const one of publications.values()) {
      if (one.videoId === live.videoId) one.session.end({ end: "lost", detail: "the publisher came anew" })
    }
    const id = randomBytes(16).toString("hex")
    const media = yield* makeMediaQueue
    const begun = yield* Deferred.make<void>()
    const how = yield* Deferred.make<PublishEnd>()
    const ended = ({ detail, end }: PeerEnd) => {
      const known = publications.get(id)
      publications.delete(id)
      if (known !== undefined && end !== "closed") leave(id, known)
      // What cannot go on in one connection cannot in the next: the session ends, as for other publishers.
      if (known?.begun === true && end === "malformed") run(Effect.asVoid(lives.end(known.videoId, unreadable(detail))))
      media.end()
      Deferred.doneUnsafe(how, Effect.succeed(end))
      run(Effect.logInfo(`A publisher of live ${live.uuid} by WebRTC is gone (${end}: ${detail})`))
    }
    const short = live.latencyMode === LiveLatencyMode.small
    const session = server.accept(
      offer,
      { keyframeInterval: short ? keyframeInterval.short : keyframeInterval.usual, connectTime, idleTime },
      {
        begin: (tracks) => {
          media.begin(tracks)
          const begins = publications.get(id)
          if (begins !== undefined) begins.begun = true
          Deferred.doneUnsafe(begun, Effect.void)
        },
        frame: media.frame,
        ended
      }
    )
    const publication: Publication = { digest: keyDigest(key), videoId: live.videoId, session, begun: false }
    publications.set(id, publication)
    const close = (reason: string) => session.end({ end: "closed", detail: reason })
    run(
      serve(request, begun, how, media, close).pipe(
        Effect.catchTag("PublishRefused", ({ reason }) => Effect.sync(() => close(reason))),
        Effect.annotateLogs({ protocol: "whip", address })
      )
    )
    return { id, answer: session.answer }
  })

  const end = Effect.fn("WhipDoor.end")(function* (id: string, key: Redacted.Redacted<string>) {
    const publication = publications.get(id) ?? left.get(id)
    if (publication === undefined) return yield* new PublicationNotFound()
    if (!timingSafeEqual(publication.digest, keyDigest(key))) return yield* new StreamKeyUnknown()
    if (!left.delete(id)) return publication.session.end({ end: "closed", detail: "ended by the publisher" })
    // The connection is gone, and the session waits for another one.
    const { connected } = yield* lives.health(publication.videoId)
    if (!connected) yield* lives.end(publication.videoId, publisherLeft)
  })

  const open = (opened: WebRtcServer) =>
    Effect.acquireRelease(
      Effect.sync(() => void (server = opened)),
      () => Effect.sync(() => void (server = undefined))
    )

  return WhipDoor.of({ publish, end, open, isOpen: () => server !== undefined })
})

/** The door for publishers by WebRTC: who they are is known by HTTP, and their media come by UDP. */
export class WhipDoor extends Context.Service<
  WhipDoor,
  {
    /** Answers the offer of a publisher. */
    readonly publish: (request: WhipRequest) => Effect.Effect<WhipAnswer, WhipRefused>
    /** Ends a publication for who has its key. */
    readonly end: (
      id: string,
      key: Redacted.Redacted<string>
    ) => Effect.Effect<void, PublicationNotFound | StreamKeyUnknown>
    /** Publishers are taken by this server until the scope closes. */
    readonly open: (server: WebRtcServer) => Effect.Effect<void, never, Scope.Scope>
    /** Whether publishers are taken here at the moment. */
    readonly isOpen: () => boolean
  }
>()("@kinora/node/live/ingest/WhipDoor") {
  static readonly layer = Layer.effect(WhipDoor, make)
}
