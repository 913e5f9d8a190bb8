import { Effect, Stream } from "effect"
import { Xml } from "effect/encoding"

/** Answers of S3 are small: a page of 1000 objects is the largest. */
export const largestDocument = 4 * 1024 * 1024

const textOf = (element: Xml.Element): string => element.children.filter((child) => typeof child === "string").join("")

/** Text of the first child of the name. */
export const childText = (element: Xml.Element, name: string): string | undefined => {
  const child = element.children.find((one) => typeof one !== "string" && one.name === name)
  return child === undefined || typeof child === "string" ? undefined : textOf(child)
}

/** The root of a document, whatever its name; undefined where the text is no XML. Entities of a DOCTYPE are not expanded. */
export const parseDocument = (text: string): Effect.Effect<Xml.Element | undefined> => {
  const root = /<([A-Za-z][\w.:-]*)/.exec(text.replace(/<\?.*?\?>/s, ""))?.[1]
  if (root === undefined) return Effect.succeed(undefined)
  return Stream.make(text).pipe(
    Stream.pipeThroughChannel(Xml.decodeString({ maxDepth: 16 })),
    Stream.pipeThroughChannel(Xml.elements([root], { maxElementSize: largestDocument })),
    Stream.runCollect,
    Effect.map((found) => found[0]),
    Effect.catchTag("XmlError", () => Effect.succeed(undefined))
  )
}

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

/** Text within an element. */
export const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (char) => escapes[char] ?? char)
