import type { MatroskaFrame, MatroskaTracks } from "../matroska/MatroskaWriter.ts"
import { avcConfiguration, avcFrame } from "./h264/AvcFormat.ts"
import { type AccessUnit, typeOf, unitType } from "./h264/Depacketizer.ts"
import { type PictureSize, pictureSize } from "./h264/SequenceParameters.ts"
import { Malformed } from "./bytes/Malformed.ts"

/** What takes the media. */
export interface MediaEvents {
  /** Comes once, before the first frame. */
  readonly begin: (tracks: MatroskaTracks) => void
  readonly frame: (frame: MatroskaFrame) => void
}

/** Sound that was offered is waited for so long, in milliseconds; then the stream begins without it. */
const soundWithin = 1500
const maxHeld = 512
const maxHeldBytes = 16 * 1024 * 1024
/** The first frame has this time, so that sound can be moved before it. */
const firstTime = 500

/**
 * Makes one stream of pictures and sound: it begins with a keyframe whose parameters are known, and with the sound if there
 * is any, and its times begin anew. Throws `Malformed` when the stream cannot go on.
 */
export class MediaAssembly {
  readonly #wants: { readonly video: boolean; readonly audio: boolean }
  readonly #events: MediaEvents
  #held: Array<MatroskaFrame> = []
  #heldBytes = 0
  #begun = false
  /** Decided when the stream begins: sound that comes later is left out. */
  #hasSound = false
  #size: PictureSize | undefined
  #configuration: Buffer | undefined
  /** What is subtracted from all times. */
  #base: number | undefined
  readonly #last = { video: 0, audio: 0 }

  constructor(wants: { readonly video: boolean; readonly audio: boolean }, events: MediaEvents) {
    this.#wants = wants
    this.#events = events
  }

  /** @param time milliseconds of our clock */
  picture({ keyframe, units }: AccessUnit, time: number): void {
    const sps = units.find((unit) => typeOf(unit) === unitType.sps)
    const pps = units.find((unit) => typeOf(unit) === unitType.pps)
    if (sps !== undefined) this.#learn(sps, pps)
    if (this.#configuration === undefined) return
    this.#take({ kind: "video", keyframe, time, bytes: avcFrame(units) })
  }

  /** @param time milliseconds of our clock */
  sound(bytes: Uint8Array, time: number): void {
    if (bytes.length === 0) return
    // Sound before the first picture would be heard before anything is seen.
    if (this.#wants.video && this.#configuration === undefined) return
    if (this.#begun && !this.#hasSound) return
    this.#hasSound = true
    this.#take({ kind: "audio", keyframe: true, time, bytes })
  }

  #learn(sps: Buffer, pps: Buffer | undefined): void {
    const size = pictureSize(sps)
    const known = this.#size
    if (known !== undefined && (known.width !== size.width || known.height !== size.height)) {
      throw new Malformed(`the picture changed from ${known.width}x${known.height} to ${size.width}x${size.height}`)
    }
    this.#size = size
    // Later parameters stand in the frames as well.
    if (pps !== undefined) this.#configuration ??= avcConfiguration(sps, pps)
  }

  #take(frame: MatroskaFrame): void {
    this.#base ??= frame.time - firstTime
    // Sound comes in order already, and pictures without B frames as well.
    const time = Math.max(frame.time - this.#base, this.#last[frame.kind])
    this.#last[frame.kind] = time
    const timed = { ...frame, time }
    if (this.#begun) return this.#events.frame(timed)
    this.#held.push(timed)
    this.#heldBytes += frame.bytes.length
    if (this.#isReady(time)) this.#begin()
  }

  #isReady(time: number): boolean {
    if (!this.#wants.video) return true
    if (!this.#held.some(({ kind }) => kind === "video")) return false
    if (!this.#wants.audio || this.#hasSound) return true
    return time - firstTime > soundWithin || this.#held.length > maxHeld || this.#heldBytes > maxHeldBytes
  }

  #begin(): void {
    this.#begun = true
    const size = this.#size
    const configuration = this.#configuration
    this.#events.begin({
      video: size === undefined || configuration === undefined ? undefined : { configuration, ...size },
      audio: this.#hasSound
    })
    const held = this.#held
    this.#held = []
    for (const frame of held) this.#events.frame(frame)
  }
}
