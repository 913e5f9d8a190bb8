import type { Ordered } from "../rtp/Reordering.ts"

/** Units of H.264, of one picture. */
export interface AccessUnit {
  readonly units: ReadonlyArray<Buffer>
  readonly timestamp: number
  readonly keyframe: boolean
}

const stapA = 24
const fuA = 28
const idr = 5
export const unitType = { sps: 7, pps: 8, delimiter: 9, filler: 12 } as const

/** A picture of more is given up. */
const maxBytes = 4 * 1024 * 1024
const maxUnits = 1024

/** The type of a unit. */
export const typeOf = (unit: Uint8Array): number => unit[0]! & 0x1f

/**
 * Makes pictures of packets (RFC 6184: single units, STAP-A, FU-A). A picture of which a packet is missing is given up; what
 * follows it cannot be decoded before the next keyframe, so nothing is given until then.
 */
export class Depacketizer {
  #units: Array<Buffer> = []
  #fragments: Array<Buffer> | undefined
  #bytes = 0
  #timestamp: number | undefined
  /** A packet of the picture is missing. */
  #broken = false
  /** Set while nothing can be decoded. */
  waitsForKeyframe = true

  /** Takes the next packet. Gives the pictures that are complete. */
  add({ gap, packet }: Ordered): ReadonlyArray<AccessUnit> {
    const pictures: Array<AccessUnit> = []
    const push = (picture: AccessUnit | undefined) => picture !== undefined && pictures.push(picture)
    if (gap) this.#break()
    if (this.#timestamp !== undefined && this.#timestamp !== packet.timestamp) push(this.#finish())
    // What is lost may have been the beginning of this picture.
    if (gap) this.#broken = true
    this.#timestamp = packet.timestamp
    this.#payload(packet.payload)
    if (packet.marker) push(this.#finish())
    return pictures
  }

  #break(): void {
    this.#broken = true
    this.#fragments = undefined
  }

  #payload(payload: Buffer): void {
    if (payload.length === 0) return
    const type = typeOf(payload)
    if (type === fuA) this.#fragment(payload)
    else if (type === stapA) this.#aggregate(payload)
    else if (type > 0 && type < stapA) this.#unit(payload)
    else this.#break()
  }

  #aggregate(payload: Buffer): void {
    for (let at = 1; at < payload.length;) {
      const length = at + 2 <= payload.length ? payload.readUInt16BE(at) : 0
      if (length === 0 || at + 2 + length > payload.length) return this.#break()
      this.#unit(payload.subarray(at + 2, at + 2 + length))
      at += 2 + length
    }
  }

  #fragment(payload: Buffer): void {
    if (payload.length < 3) return this.#break()
    const header = payload[1]!
    const isFirst = (header & 0x80) !== 0
    if (isFirst) this.#fragments = [Buffer.from([(payload[0]! & 0xe0) | (header & 0x1f)])]
    if (this.#fragments === undefined) return this.#break()
    this.#fragments.push(payload.subarray(2))
    this.#count(payload.length)
    if ((header & 0x40) === 0) return
    const whole = Buffer.concat(this.#fragments)
    this.#fragments = undefined
    this.#keep(whole)
  }

  #unit(unit: Buffer): void {
    this.#count(unit.length)
    this.#keep(unit)
  }

  #count(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes <= maxBytes) return
    this.#break()
    this.#units = []
  }

  #keep(unit: Buffer): void {
    if (this.#broken) return
    const type = typeOf(unit)
    if (type === unitType.delimiter || type === unitType.filler) return
    if (this.#units.length >= maxUnits) return this.#break()
    this.#units.push(unit)
  }

  #finish(): AccessUnit | undefined {
    const units = this.#units
    const timestamp = this.#timestamp!
    const broken = this.#broken || this.#fragments !== undefined
    this.#units = []
    this.#fragments = undefined
    this.#bytes = 0
    this.#broken = false
    this.#timestamp = undefined
    if (broken) {
      this.waitsForKeyframe = true
      return undefined
    }
    const keyframe = units.some((unit) => typeOf(unit) === idr)
    if (units.length === 0 || (this.waitsForKeyframe && !keyframe)) return undefined
    this.waitsForKeyframe = false
    return { units, timestamp, keyframe }
  }
}
