import { Malformed } from "../bytes/Malformed.ts"

/** Size of the picture, in pixels. */
export interface PictureSize {
  readonly width: number
  readonly height: number
}

/** Reads bits of a unit without the bytes that keep start codes out of it. */
class Bits {
  readonly #bytes: ReadonlyArray<number>
  #at = 0

  constructor(unit: Uint8Array) {
    this.#bytes = [...unit].filter((byte, index) => !(byte === 3 && unit[index - 1] === 0 && unit[index - 2] === 0))
  }

  bit(): number {
    const byte = this.#bytes[this.#at >> 3]
    if (byte === undefined) throw new Malformed("parameters that end too early")
    return (byte >> (7 - (this.#at++ & 7))) & 1
  }

  bits(count: number): number {
    let value = 0
    for (let index = 0; index < count; index++) value = value * 2 + this.bit()
    return value
  }

  /** Exponential Golomb, without sign. */
  golomb(): number {
    let zeros = 0
    while (this.bit() === 0) if (++zeros > 31) throw new Malformed("a number too long")
    return 2 ** zeros - 1 + this.bits(zeros)
  }

  signed(): number {
    const value = this.golomb()
    return value % 2 === 0 ? -value / 2 : (value + 1) / 2
  }
}

/** Profiles whose parameters say more of the colours (ITU-T H.264, 7.3.2.1.1). */
const high = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135])

const skipScaling = (bits: Bits, size: number): void => {
  let last = 8
  let next = 8
  for (let index = 0; index < size; index++) {
    if (next !== 0) next = (last + bits.signed() + 256) % 256
    if (next !== 0) last = next
  }
}

const readChroma = (bits: Bits): number => {
  const format = bits.golomb()
  if (format === 3) bits.bit()
  bits.golomb()
  bits.golomb()
  bits.bit()
  if (bits.bit() === 1) {
    const lists = format === 3 ? 12 : 8
    for (let index = 0; index < lists; index++) if (bits.bit() === 1) skipScaling(bits, index < 6 ? 16 : 64)
  }
  return format
}

const skipOrder = (bits: Bits): void => {
  const type = bits.golomb()
  if (type === 0) bits.golomb()
  if (type !== 1) return
  bits.bit()
  bits.signed()
  bits.signed()
  const count = bits.golomb()
  if (count > 255) throw new Malformed("too many offsets")
  for (let index = 0; index < count; index++) bits.signed()
}

/** The size of the picture, from the sequence parameters (ITU-T H.264, 7.3.2.1.1). Throws `Malformed`. */
export const pictureSize = (unit: Uint8Array): PictureSize => {
  if (unit.length < 4) throw new Malformed("parameters that end too early")
  const bits = new Bits(unit.subarray(4))
  bits.golomb()
  const format = high.has(unit[1]!) ? readChroma(bits) : 1
  bits.golomb()
  skipOrder(bits)
  bits.golomb()
  bits.bit()
  const wide = bits.golomb() + 1
  const tall = bits.golomb() + 1
  const frames = bits.bit()
  if (frames === 0) bits.bit()
  bits.bit()
  const [left, right, top, bottom] =
    bits.bit() === 1 ? [bits.golomb(), bits.golomb(), bits.golomb(), bits.golomb()] : [0, 0, 0, 0]
  const unitX = format === 1 || format === 2 ? 2 : 1
  const unitY = (format === 1 ? 2 : 1) * (2 - frames)
  const width = wide * 16 - (left + right) * unitX
  const height = tall * 16 * (2 - frames) - (top + bottom) * unitY
  if (!(width > 0 && height > 0 && width <= 16384 && height <= 16384)) throw new Malformed("an impossible size")
  return { width, height }
}
