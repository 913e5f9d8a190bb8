import { Data, Result } from "effect"

/** A value of AMF0. Dates are milliseconds; XML documents are strings. */
export type AmfValue = number | boolean | string | null | undefined | AmfArray | AmfObject
export type AmfArray = ReadonlyArray<AmfValue>
export interface AmfObject {
  readonly [name: string]: AmfValue
}

/** Bounds of foreign AMF0. */
export interface AmfLimits {
  readonly bytes: number
  /** Nesting of objects and arrays. */
  readonly depth: number
  /** Values in all. */
  readonly values: number
}

const defaults: AmfLimits = { bytes: 64 * 1024, depth: 16, values: 2_000 }

/** The bytes are not AMF0, or break a limit. */
export class AmfMalformed extends Data.TaggedError("AmfMalformed")<{ readonly detail: string }> {}

/** Markers of types (AMF0 2.1). */
export const marker = {
  number: 0x00,
  boolean: 0x01,
  string: 0x02,
  object: 0x03,
  null: 0x05,
  undefined: 0x06,
  ecmaArray: 0x08,
  objectEnd: 0x09,
  strictArray: 0x0a,
  date: 0x0b,
  longString: 0x0c,
  unsupported: 0x0d,
  xmlDocument: 0x0f,
  typedObject: 0x10
} as const

class Decoder {
  readonly #bytes: Buffer
  readonly #limits: AmfLimits
  #at = 0
  #values = 0

  constructor(bytes: Uint8Array, limits: AmfLimits) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#limits = limits
  }

  all(): AmfArray {
    if (this.#bytes.length > this.#limits.bytes) throw new AmfMalformed({ detail: "too many bytes" })
    const values: Array<AmfValue> = []
    while (this.#at < this.#bytes.length) values.push(this.#value(0))
    return values
  }

  /** The place of the next bytes, which it passes. */
  #take(length: number): number {
    const at = this.#at
    if (length > this.#bytes.length - at) throw new AmfMalformed({ detail: "truncated" })
    this.#at = at + length
    return at
  }

  #text(length: number): string {
    const at = this.#take(length)
    return this.#bytes.toString("utf8", at, at + length)
  }

  #shortText(): string {
    return this.#text(this.#bytes.readUInt16BE(this.#take(2)))
  }

  #longText(): string {
    return this.#text(this.#bytes.readUInt32BE(this.#take(4)))
  }

  /** Names and values up to the end of the object. Without a prototype, `__proto__` is a name like any other. */
  #members(depth: number): AmfObject {
    const object = Object.create(null) as Record<string, AmfValue>
    for (;;) {
      const name = this.#shortText()
      if (name === "" && this.#bytes[this.#at] === marker.objectEnd) {
        this.#at++
        return object
      }
      object[name] = this.#value(depth)
    }
  }

  #strictArray(depth: number): AmfArray {
    const length = this.#bytes.readUInt32BE(this.#take(4))
    // The length is only a claim: values are counted as they are read.
    const array: Array<AmfValue> = []
    for (let index = 0; index < length; index++) array.push(this.#value(depth))
    return array
  }

  #value(depth: number): AmfValue {
    if (depth > this.#limits.depth) throw new AmfMalformed({ detail: "nested too deeply" })
    if (++this.#values > this.#limits.values) throw new AmfMalformed({ detail: "too many values" })
    const type = this.#bytes[this.#take(1)] as number
    switch (type) {
      case marker.number:
        return this.#bytes.readDoubleBE(this.#take(8))
      case marker.boolean:
        return this.#bytes[this.#take(1)] !== 0
      case marker.string:
        return this.#shortText()
      case marker.object:
        return this.#members(depth + 1)
      case marker.null:
        return null
      case marker.undefined:
      case marker.unsupported:
        return undefined
      case marker.ecmaArray:
        // Its count is a hint (AMF0 2.10).
        this.#take(4)
        return this.#members(depth + 1)
      case marker.strictArray:
        return this.#strictArray(depth + 1)
      case marker.date: {
        const time = this.#bytes.readDoubleBE(this.#take(8))
        this.#take(2)
        return time
      }
      case marker.longString:
      case marker.xmlDocument:
        return this.#longText()
      case marker.typedObject:
        this.#shortText()
        return this.#members(depth + 1)
      default:
        throw new AmfMalformed({ detail: `marker ${type}` })
    }
  }
}

/** Decodes all values of a message. References and AMF3 are not supported. */
export const decodeAmf0 = (bytes: Uint8Array, limits: AmfLimits = defaults): Result.Result<AmfArray, AmfMalformed> => {
  try {
    return Result.succeed(new Decoder(bytes, limits).all())
  } catch (error) {
    if (error instanceof AmfMalformed) return Result.fail(error)
    throw error
  }
}
