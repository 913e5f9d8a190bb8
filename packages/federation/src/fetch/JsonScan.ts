/** How deep and how wide JSON of others may be. */
export interface JsonLimits {
  /** Objects and arrays within each other. Default 32. */
  readonly maxDepth: number
  /** Entries of one array, or members of one object. Default 5,000. */
  readonly maxItems: number
  /** Values of the whole document. Default 100,000. */
  readonly maxValues: number
}

export const jsonLimits: JsonLimits = { maxDepth: 32, maxItems: 5_000, maxValues: 100_000 }

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c

/**
 * Walks JSON once, before anything is made of it, and says which limit it breaks. It does not say whether the JSON is
 * valid: what is not, breaks no limit here and is refused by the parser afterwards. Works on UTF-8, whose bytes of longer
 * characters are never those of punctuation; memory is bounded by the depth.
 */
export const scanJson = (bytes: Uint8Array, limits: JsonLimits): "depth" | "items" | undefined => {
  const commas: Array<number> = []
  let depth = 0
  let values = 0
  for (let i = 0; i < bytes.length; i++) {
    switch (bytes[i]) {
      case quote:
        for (i++; i < bytes.length && bytes[i] !== quote; i++) if (bytes[i] === backslash) i++
        break
      case 0x5b:
      case 0x7b:
        if (depth === limits.maxDepth) return "depth"
        commas[depth++] = 0
        if (++values > limits.maxValues) return "items"
        break
      case 0x5d:
      case 0x7d:
        depth = Math.max(0, depth - 1)
        break
      case comma:
        if (++values > limits.maxValues) return "items"
        if (depth > 0) {
          const count = (commas[depth - 1] ?? 0) + 1
          if (count >= limits.maxItems) return "items"
          commas[depth - 1] = count
        }
        break
      default:
    }
  }
  return undefined
}
