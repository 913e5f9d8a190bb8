import { Effect, Stream } from "effect"
import { ArchiveRefused } from "./context/ArchiveRefused.ts"

/** One element of a list in a JSON file, as text. */
export interface JsonItem {
  /** Name of the list. */
  readonly list: string
  readonly text: string
}

/** Limits of one JSON file. */
export const jsonLimits = { fileBytes: 512 * 1024 ** 2, itemLength: 2 * 1024 ** 2, items: 100_000 } as const

const [quote, backslash, open, close, begin, end, comma, colon] = [...'"\\[]{},:'].map((c) => c.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number
]

const isBlank = (code: number): boolean => code === 32 || (code >= 9 && code <= 13)

/**
 * Splits `{ "list": [ item, item ], … }` into items while it is read, so that neither the file nor its lists are ever
 * in memory as a whole. Whether each item is valid JSON shows when it is parsed.
 */
class Splitter {
  private depth = 0
  private inString = false
  private escaped = false
  private key = ""
  private keyFrom = -1
  private list: string | undefined
  private item: Array<string> | undefined
  private length = 0
  private count = 0
  private partOfKey = ""

  /** Takes the next piece of text and returns the items that ended in it. */
  push(text: string): ReadonlyArray<JsonItem> {
    const found: Array<JsonItem> = []
    let from = this.item === undefined ? -1 : 0
    if (this.keyFrom !== -1) this.keyFrom = 0
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (this.inString) {
        if (this.escaped) this.escaped = false
        else if (code === backslash) this.escaped = true
        else if (code === quote) {
          this.inString = false
          if (this.keyFrom !== -1) {
            this.key = this.partOfKey + text.slice(this.keyFrom, at)
            this.keyFrom = -1
          }
        }
        continue
      }
      if (isBlank(code)) continue
      const isItem = this.depth === 2 && this.list !== undefined
      if (isItem && (code === comma || code === close)) {
        if (this.item !== undefined) {
          this.keep(text.slice(from, at))
          found.push({ list: this.list!, text: this.item.join("") })
          this.item = undefined
          from = -1
        }
        if (code === comma) continue
      } else if (isItem && this.item === undefined) {
        this.begin()
        from = at
      }
      switch (code) {
        case quote:
          this.inString = true
          if (this.depth === 1) {
            this.keyFrom = at + 1
            this.partOfKey = ""
          }
          break
        case begin:
        case open:
          if (this.depth === 0 && code !== begin) throw new ArchiveRefused({ message: "no JSON object" })
          if (this.depth === 1) this.list = code === open ? this.key : undefined
          this.depth++
          break
        case end:
        case close:
          this.depth--
          if (this.depth === 1) this.list = undefined
          if (this.depth < 0) throw new ArchiveRefused({ message: "no JSON" })
          break
        case colon:
        case comma:
          break
        default:
          if (this.depth === 0) throw new ArchiveRefused({ message: "no JSON object" })
      }
    }
    if (this.item !== undefined) this.keep(text.slice(from))
    if (this.keyFrom !== -1) {
      this.partOfKey += text.slice(this.keyFrom)
      if (this.partOfKey.length > 1000) throw new ArchiveRefused({ message: "no JSON of an archive" })
      this.keyFrom = 0
    }
    return found
  }

  /** Whether the text was complete. */
  get isWhole(): boolean {
    return this.depth === 0 && !this.inString
  }

  private begin(): void {
    if (++this.count > jsonLimits.items) {
      throw new ArchiveRefused({ message: `it lists more than ${jsonLimits.items} things` })
    }
    this.item = []
    this.length = 0
  }

  private keep(part: string): void {
    this.length += part.length
    if (this.length > jsonLimits.itemLength) throw new ArchiveRefused({ message: "one of its things is too long" })
    this.item!.push(part)
  }
}

const refused = (cause: unknown): ArchiveRefused =>
  cause instanceof ArchiveRefused ? cause : new ArchiveRefused({ message: "it is not text in UTF-8" })

/** The elements of the lists in a JSON file, as a stream. Fails if the file is not such JSON. */
export const jsonItems = (bytes: Stream.Stream<Uint8Array, ArchiveRefused>): Stream.Stream<JsonItem, ArchiveRefused> =>
  Stream.suspend(() => {
    const splitter = new Splitter()
    const decoder = new TextDecoder("utf-8", { fatal: true })
    const split = (chunk: Uint8Array | undefined) =>
      Effect.try({
        try: () => {
          const text = chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })
          const found = splitter.push(text)
          if (chunk === undefined && !splitter.isWhole) throw new ArchiveRefused({ message: "it breaks off" })
          return found
        },
        catch: refused
      })
    const last = Stream.fromEffect(Effect.suspend(() => split(undefined)))
    return Stream.mapEffect(bytes, split).pipe(
      Stream.concat(last),
      Stream.flatMap((found) => Stream.fromIterable(found))
    )
  })
