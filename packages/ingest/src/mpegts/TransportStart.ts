import {
  isPacket,
  isRandomAccess,
  isStart,
  packetLength,
  payloadOf,
  pidOf,
  type Program,
  readAssociation,
  readProgram
} from "./ProgramMap.ts"

/** Where a transport stream begins for who decodes it. */
export interface StreamStart {
  /** Whether the first sound is AAC; false if that is not known. */
  readonly isAac: boolean
  /** The tables, and all from the first frame on that can be decoded. */
  readonly bytes: Buffer
}

/** Bytes that are kept. A keyframe is within them, or is not marked as one. */
const mostKept = 4 * 1024 * 1024
/** After so many frames without a mark the stream is taken as it is. */
const mostFrames = 300
const associationPid = 0

/** Whether the beginning of a frame holds the parameters of the decoder: SPS of H.264, VPS or SPS of HEVC. */
const hasParameters = (payload: Uint8Array, codec: "h264" | "hevc" | "other"): boolean => {
  for (let at = 0; at + 3 < payload.length; at++) {
    if (payload[at] !== 0 || payload[at + 1] !== 0 || payload[at + 2] !== 1) continue
    const first = payload[at + 3] as number
    if (codec === "h264" && (first & 0x1f) === 7) return true
    if (codec === "hevc" && [32, 33].includes((first >> 1) & 0x3f)) return true
  }
  return false
}

/**
 * Holds back the beginning of a transport stream until it can be decoded: some publishers start between keyframes. What follows
 * the start is no longer given to it.
 */
export class TransportStart {
  #carry = Buffer.alloc(0)
  #kept: Array<Buffer> = []
  #size = 0
  #association: Buffer | undefined
  #map: Buffer | undefined
  #mapPid: number | undefined
  #program: Program | undefined
  #frames = 0

  /** Takes bytes. Returns where the stream begins, once that is known. */
  add(bytes: Uint8Array): StreamStart | undefined {
    const all = Buffer.concat([this.#carry, bytes])
    let at = 0
    for (; at + packetLength <= all.length; at += packetLength) {
      // Out of step: what is no packet is left out, byte by byte.
      while (at + packetLength <= all.length && all[at] !== 0x47) at++
      if (at + packetLength > all.length) break
      const packet = all.subarray(at, at + packetLength)
      this.#kept.push(packet)
      this.#size += packetLength
      if (this.#look(packet)) return this.#start(all.subarray(at))
    }
    this.#carry = Buffer.from(all.subarray(at))
    return this.#size >= mostKept || this.#frames >= mostFrames ? this.#whole() : undefined
  }

  /** Whether the stream begins with this packet. */
  #look(packet: Buffer): boolean {
    if (!isPacket(packet)) return false
    const pid = pidOf(packet)
    if (pid === associationPid) {
      this.#association = packet
      this.#mapPid = readAssociation(packet) ?? this.#mapPid
    } else if (pid === this.#mapPid) {
      this.#map = packet
      this.#program = readProgram(packet) ?? this.#program
      return this.#program !== undefined && this.#program.video === undefined
    }
    const video = this.#program?.video
    if (video?.pid !== pid || !isStart(packet)) return false
    this.#frames++
    return isRandomAccess(packet) || hasParameters(payloadOf(packet), video.codec)
  }

  #start(rest: Buffer): StreamStart {
    const tables = [this.#association, this.#map].filter((table) => table !== undefined)
    return { isAac: this.#program?.isAac ?? false, bytes: Buffer.concat([...tables, rest]) }
  }

  #whole(): StreamStart {
    return { isAac: this.#program?.isAac ?? false, bytes: Buffer.concat([...this.#kept, this.#carry]) }
  }
}
