import { DtlsServer, type DtlsEvents, type SrtpMaterial } from "./dtls/DtlsServer.ts"
import type { Certificate } from "./dtls/SelfSigned.ts"
import { Depacketizer } from "./h264/Depacketizer.ts"
import { Malformed } from "./bytes/Malformed.ts"
import { MediaAssembly, type MediaEvents } from "./MediaAssembly.ts"
import { compound, keyframeRequest, readRtcp, receiverReportBytes, repeatRequest } from "./rtp/Rtcp.ts"
import type { Ordered } from "./rtp/Reordering.ts"
import { readRtp, repeatedPacket, type RtpPacket } from "./rtp/RtpPacket.ts"
import { Source } from "./rtp/Source.ts"
import { TransportFeedback } from "./rtp/TransportFeedback.ts"
import type { Offer } from "./sdp/Offer.ts"
import { SrtcpReceiver, SrtcpSender } from "./srtp/Srtcp.ts"
import { SrtpReceiver } from "./srtp/SrtpReceiver.ts"

/** How a connection ended: as in `PublishEnd`, with words for the log. */
export interface PeerEnd {
  readonly end: "closed" | "lost" | "idle" | "malformed"
  readonly detail: string
}

export interface PeerEvents extends MediaEvents {
  readonly send: (datagram: Uint8Array) => void
  /** Runs once. */
  readonly ended: (end: PeerEnd) => void
}

export interface PeerSettings {
  readonly offer: Offer
  readonly certificate: Certificate
  /** Milliseconds between keyframes at most. */
  readonly keyframeInterval: number
  /** Milliseconds until the connection stands. */
  readonly connectTime: number
  /** Milliseconds without media. */
  readonly idleTime: number
}

const videoLimits = { maxDelay: 500, packets: 1024 }
const audioLimits = { maxDelay: 200, packets: 64 }
/** Milliseconds. */
const askInterval = 100
const reportInterval = 1000
const feedbackInterval = 100
/** A keyframe that was asked for, and is needed, is asked for again after this. */
const impatientInterval = 500
/** Smaller differences between picture and sound are not noticed. */
const audible = 15

interface Secured {
  readonly rtp: SrtpReceiver
  readonly rtcp: SrtcpReceiver
  readonly sender: SrtcpSender
}

/**
 * One publisher behind WebRTC: its handshake, its packets, and what we say to it. Time is given to it: milliseconds that never
 * go back, at least every 20 ms by `tick`.
 */
export class Peer {
  readonly #settings: PeerSettings
  readonly #events: PeerEvents
  readonly #dtls: DtlsServer
  readonly #assembly: MediaAssembly
  readonly #depacketizer = new Depacketizer()
  readonly #feedback = new TransportFeedback()
  readonly #video = new Source(90_000, videoLimits)
  readonly #audio = new Source(48_000, audioLimits)
  readonly #ours = Math.floor(Math.random() * 0xff_ff_ff_ff) + 1
  readonly #begunAt: number
  #secured: Secured | undefined
  #over = false
  #mediaAt: number | undefined
  #keyframeAt = Number.NEGATIVE_INFINITY
  #askedAt = Number.NEGATIVE_INFINITY
  #reportedAt = 0
  #feedbackAt = 0
  #now: number

  constructor(settings: PeerSettings, events: PeerEvents, now: number) {
    this.#settings = settings
    this.#events = events
    this.#begunAt = this.#now = now
    const { audio, fingerprint, video } = settings.offer
    this.#assembly = new MediaAssembly({ video: video !== undefined, audio: audio !== undefined }, events)
    const dtls: DtlsEvents = {
      send: (datagram) => events.send(datagram),
      connected: (material) => this.#secure(material),
      // A page that is loaded anew closes its connection as well: who has ended says so by HTTP.
      closed: () => this.end({ end: "lost", detail: "closed by the peer" })
    }
    this.#dtls = new DtlsServer(settings.certificate, fingerprint, dtls)
  }

  /** Takes a datagram that is no check of connectivity. */
  take(datagram: Buffer, now: number): void {
    if (this.#over || datagram.length < 2) return
    this.#now = now
    const first = datagram[0]!
    try {
      if (first >= 20 && first <= 63) this.#dtls.take(datagram)
      else if (first >= 128 && first <= 191) this.#packet(datagram)
    } catch (error) {
      if (!(error instanceof Malformed)) throw error
      this.end({ end: "malformed", detail: error.message })
    }
  }

  /** Does what is due. */
  tick(now: number): void {
    if (this.#over) return
    this.#now = now
    const { connectTime, idleTime } = this.#settings
    if (this.#mediaAt === undefined) {
      if (now - this.#begunAt > connectTime) this.end({ end: "lost", detail: "no media in time" })
    } else if (now - this.#mediaAt > idleTime) this.end({ end: "idle", detail: "no media" })
    if (this.#over || this.#secured === undefined) return
    try {
      this.#onVideo(this.#video.release(now))
      this.#onAudio(this.#audio.release(now))
    } catch (error) {
      if (!(error instanceof Malformed)) throw error
      return this.end({ end: "malformed", detail: error.message })
    }
    this.#askForPackets()
    this.#askForKeyframe()
    this.#report()
  }

  /** Ends the connection, and informs the peer. */
  end(end: PeerEnd): void {
    if (this.#over) return
    this.#over = true
    this.#dtls.close()
    this.#events.ended(end)
  }

  #secure({ client, server }: SrtpMaterial): void {
    this.#secured = { rtp: new SrtpReceiver(client), rtcp: new SrtcpReceiver(client), sender: new SrtcpSender(server) }
  }

  #packet(datagram: Buffer): void {
    const secured = this.#secured
    if (secured === undefined) return
    // RFC 5761, 4
    const type = datagram[1]!
    if (type >= 192 && type <= 223) return this.#control(secured.rtcp.open(datagram))
    const plain = secured.rtp.open(datagram)
    if (plain === undefined) return
    const packet = readRtp(plain, this.#settings.offer.transportId)
    if (packet !== undefined) this.#media(packet)
  }

  #media(packet: RtpPacket): void {
    if (packet.transportSequence !== undefined) {
      this.#feedback.add(packet.transportSequence, this.#now)
      if (this.#feedback.isFull) this.#sendFeedback()
    }
    const { audio, video } = this.#settings.offer
    const { payloadType } = packet
    if (payloadType === video?.payloadType) this.#onVideo(this.#video.add(packet, this.#now))
    else if (payloadType === audio?.payloadType) this.#onAudio(this.#audio.add(packet, this.#now))
    else if (payloadType === video?.repeatType && this.#video.ssrc !== undefined) {
      const repeated = repeatedPacket(packet, video.payloadType, this.#video.ssrc)
      if (repeated !== undefined) this.#onVideo(this.#video.add(repeated, this.#now))
    }
  }

  #control(packet: Buffer | undefined): void {
    if (packet === undefined) return
    for (const report of readRtcp(packet).reports) {
      this.#video.report(report, this.#now)
      this.#audio.report(report, this.#now)
    }
    const [picture, sound] = [this.#video.clock.offset, this.#audio.clock.offset]
    if (picture === undefined || sound === undefined) return
    const shift = picture - sound
    if (Math.abs(shift - this.#audio.clock.shift) > audible) this.#audio.clock.shift = shift
  }

  #onVideo(ordered: ReadonlyArray<Ordered>): void {
    for (const one of ordered) {
      this.#mediaAt = this.#now
      for (const picture of this.#depacketizer.add(one)) {
        if (picture.keyframe) this.#keyframeAt = this.#now
        this.#assembly.picture(picture, this.#video.clock.timeOf(picture.timestamp, this.#now))
      }
    }
  }

  #onAudio(ordered: ReadonlyArray<Ordered>): void {
    for (const { packet } of ordered) {
      this.#mediaAt = this.#now
      this.#assembly.sound(packet.payload, this.#audio.clock.timeOf(packet.timestamp, this.#now))
    }
  }

  #askForPackets(): void {
    const ssrc = this.#video.ssrc
    if (ssrc === undefined || this.#settings.offer.video?.feedback.has("nack") !== true) return
    const missing = this.#video.ask(this.#now, askInterval)
    if (missing.length > 0) this.#sendBack(repeatRequest(this.#ours, ssrc, missing))
  }

  #askForKeyframe(): void {
    const ssrc = this.#video.ssrc
    if (ssrc === undefined || this.#settings.offer.video?.feedback.has("nack pli") !== true) return
    // One that was asked for and did not come may not have been heard.
    const isLate = this.#depacketizer.waitsForKeyframe || this.#askedAt > this.#keyframeAt
    const due = isLate ? impatientInterval : this.#settings.keyframeInterval
    const since = isLate ? this.#askedAt : this.#keyframeAt
    if (this.#now - since < due) return
    this.#askedAt = this.#now
    this.#sendBack(keyframeRequest(this.#ours, ssrc))
  }

  #report(): void {
    if (this.#now - this.#feedbackAt >= feedbackInterval) this.#sendFeedback()
    if (this.#now - this.#reportedAt < reportInterval) return
    this.#reportedAt = this.#now
    const receptions = [this.#video, this.#audio].flatMap((source) => source.reception(this.#now) ?? [])
    if (receptions.length > 0) this.#send(receiverReportBytes(this.#ours, receptions))
  }

  #sendFeedback(): void {
    this.#feedbackAt = this.#now
    const report = this.#feedback.report(this.#ours, this.#video.ssrc ?? this.#audio.ssrc ?? 0)
    if (report !== undefined) this.#sendBack(report)
  }

  #send(packet: Buffer): void {
    this.#events.send(this.#secured!.sender.seal(packet))
  }

  #sendBack(feedback: Buffer): void {
    this.#send(compound(this.#ours, feedback))
  }
}
