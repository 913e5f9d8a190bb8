import { Malformed } from "../bytes/Malformed.ts"

/** A section of a session description: of the whole, or of one medium. */
export interface Section {
  /** The values of `a=` lines, by name. */
  readonly attributes: ReadonlyMap<string, ReadonlyArray<string>>
}

export interface MediaSection extends Section {
  readonly kind: string
  readonly port: number
  readonly protocol: string
  readonly formats: ReadonlyArray<string>
}

export interface SessionDescription {
  readonly session: Section
  readonly media: ReadonlyArray<MediaSection>
}

/** Browsers offer with less than 10 KiB. */
export const longestDescription = 64 * 1024
const maxLines = 2000
const maxSections = 16

interface Open {
  readonly media: readonly [kind: string, port: number, protocol: string, formats: ReadonlyArray<string>] | undefined
  readonly attributes: Map<string, Array<string>>
}

const openMedia = (value: string): Open => {
  const [kind = "", port = "", protocol = "", ...formats] = value.split(" ")
  if (!/^\d{1,5}$/.test(port)) throw new Malformed("a medium without a port")
  return { media: [kind, Number(port), protocol, formats], attributes: new Map() }
}

/** Reads a session description (RFC 8866) into its sections. Throws `Malformed`. */
export const readDescription = (text: string): SessionDescription => {
  if (text.length > longestDescription) throw new Malformed("a session description too long")
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === "") lines.pop()
  if (lines.length > maxLines) throw new Malformed("too many lines")
  if (lines[0] !== "v=0") throw new Malformed("no session description")
  const sections: Array<Open> = [{ media: undefined, attributes: new Map() }]
  for (const line of lines) {
    if (!/^[a-z]=/.test(line)) throw new Malformed("a line that is none of a session description")
    const value = line.slice(2)
    if (line.startsWith("m=")) {
      if (sections.length > maxSections) throw new Malformed("too many media")
      sections.push(openMedia(value))
    } else if (line.startsWith("a=")) {
      const colon = value.indexOf(":")
      const name = colon < 0 ? value : value.slice(0, colon)
      const { attributes } = sections.at(-1)!
      const values = attributes.get(name)
      const rest = colon < 0 ? "" : value.slice(colon + 1)
      if (values === undefined) attributes.set(name, [rest])
      else values.push(rest)
    }
  }
  const [session, ...media] = sections
  return {
    session: { attributes: session!.attributes },
    media: media.map(({ attributes, media: line }) => {
      const [kind, port, protocol, formats] = line!
      return { kind, port, protocol, formats, attributes }
    })
  }
}

/** The first value of an attribute. */
export const valueOf = ({ attributes }: Section, name: string): string | undefined => attributes.get(name)?.[0]
