import { readBase64 } from "./ClaimRules.ts"

/**
 * The part of structured fields (RFC 9651) that signatures and digests are made of: dictionaries of items and inner lists, of
 * strings, integers, booleans, tokens and bytes. Decimals, dates and display strings are taken for malformed. Stricter
 * than the RFC in one point: a key that comes twice is refused, so that no two readers see different members.
 */
export type Bare = string | number | boolean | Uint8Array | Token

export class Token {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

export type Parameters = ReadonlyMap<string, Bare>

export interface Item {
  readonly value: Bare
  readonly parameters: Parameters
}

export interface InnerList {
  readonly items: ReadonlyArray<Item>
  readonly parameters: Parameters
}

export type Dictionary = ReadonlyMap<string, Item | InnerList>

export const isInnerList = (member: Item | InnerList): member is InnerList => "items" in member

const keyPattern = /[a-z*][a-z0-9_.*-]*/y
const integerPattern = /-?\d{1,15}(?![\d.])/y
const stringPattern = /"((?:[ !#-[\]-~]|\\["\\])*)"/y
const tokenPattern = /[A-Za-z*][\w!#$%&'*+.^`|~:/-]*/y
const bytesPattern = /:([A-Za-z0-9+/=]*):/y
const booleanPattern = /\?([01])/y
const spaces = / */y
const optionalSpaces = /[ \t]*/y
const comma = /[ \t]*,[ \t]*/y

const malformed = new Error("malformed")

/** Reads a text from its start; throws `malformed`, which `parseDictionary` alone catches. */
class Reader {
  private at = 0
  private readonly text: string
  constructor(text: string) {
    this.text = text
  }

  private match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text) ?? undefined
    if (found !== undefined) this.at = pattern.lastIndex
    return found
  }

  private take(character: string): boolean {
    if (this.text[this.at] !== character) return false
    this.at++
    return true
  }

  private key(): string {
    const found = this.match(keyPattern)
    if (found === undefined) throw malformed
    return found[0]
  }

  private bare(): Bare {
    switch (this.text[this.at]) {
      case '"': {
        const found = this.match(stringPattern)
        if (found !== undefined) return (found[1] ?? "").replaceAll(/\\(["\\])/g, "$1")
        break
      }
      case ":": {
        const found = this.match(bytesPattern)
        const bytes = found === undefined ? undefined : readBase64(found[1] ?? "")
        if (bytes !== undefined) return bytes
        break
      }
      case "?": {
        const found = this.match(booleanPattern)
        if (found !== undefined) return found[1] === "1"
        break
      }
      default: {
        const integer = this.match(integerPattern)
        if (integer !== undefined) return Number(integer[0])
        const token = this.match(tokenPattern)
        if (token !== undefined) return new Token(token[0])
      }
    }
    throw malformed
  }

  private parameters(): Parameters {
    const parameters = new Map<string, Bare>()
    while (this.take(";")) {
      this.match(spaces)
      const key = this.key()
      if (parameters.has(key)) throw malformed
      parameters.set(key, this.take("=") ? this.bare() : true)
    }
    return parameters
  }

  private item(): Item {
    return { value: this.bare(), parameters: this.parameters() }
  }

  private innerList(): InnerList {
    const items: Array<Item> = []
    for (;;) {
      this.match(spaces)
      if (this.take(")")) return { items, parameters: this.parameters() }
      items.push(this.item())
      if (this.text[this.at] !== " " && this.text[this.at] !== ")") throw malformed
    }
  }

  private member(): Item | InnerList {
    if (!this.take("=")) return { value: true, parameters: this.parameters() }
    return this.take("(") ? this.innerList() : this.item()
  }

  dictionary(): Dictionary {
    const members = new Map<string, Item | InnerList>()
    this.match(optionalSpaces)
    for (;;) {
      const key = this.key()
      if (members.has(key)) throw malformed
      members.set(key, this.member())
      if (this.match(comma) !== undefined) continue
      this.match(optionalSpaces)
      if (this.at !== this.text.length) throw malformed
      return members
    }
  }
}

/** A dictionary field of at least one member. Undefined when it is malformed. */
export const parseDictionary = (text: string): Dictionary | undefined => {
  try {
    return new Reader(text).dictionary()
  } catch (failure) {
    if (failure === malformed) return undefined
    throw failure
  }
}

const escapable = /["\\]/
const escape = (text: string): string => (escapable.test(text) ? text.replaceAll(/["\\]/g, String.raw`\$&`) : text)

const serializeBare = (value: Bare): string => {
  if (typeof value === "string") return `"${escape(value)}"`
  if (typeof value === "number") return String(value)
  if (typeof value === "boolean") return value ? "?1" : "?0"
  return value instanceof Token ? value.name : `:${Buffer.from(value).toString("base64")}:`
}

const serializeParameters = (parameters: Parameters): string => {
  let text = ""
  for (const [key, value] of parameters) text += value === true ? `;${key}` : `;${key}=${serializeBare(value)}`
  return text
}

export const serializeItem = ({ value, parameters }: Item): string =>
  serializeBare(value) + serializeParameters(parameters)

export const serializeInnerList = ({ items, parameters }: InnerList): string =>
  `(${items.map(serializeItem).join(" ")})${serializeParameters(parameters)}`
