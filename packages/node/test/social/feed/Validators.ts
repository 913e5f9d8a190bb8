import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"

/** Where feedparser may be: Debian's package belongs to Debian's Python. */
const pythons = ["python3", "/usr/bin/python3"] as const

const hasFeedparser = (python: string): boolean => {
  try {
    execFileSync(python, ["-c", "import feedparser"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}

let chosen: string | undefined
const python = (): string => {
  chosen ??= pythons.find(hasFeedparser)
  if (chosen === undefined) throw new Error("Missing for tests: feedparser for Python (Debian: python3-feedparser)")
  return chosen
}

/** What feedparser reads of a feed. */
export interface Parsed {
  /** What keeps it from being XML, or the feed it says it is; null for nothing. */
  readonly bozo: string | null
  readonly version: string
  readonly title: string
  readonly entries: ReadonlyArray<{
    readonly id: string
    readonly title: string
    readonly link: string
    readonly author: string
    readonly content: string
    readonly enclosures: ReadonlyArray<{ readonly href: string; readonly type: string; readonly length: string }>
    readonly tags: ReadonlyArray<string>
  }>
}

/** Reads each text with an XML parser (expat), and with feedparser. Throws for the first that is not well-formed XML. */
export const readFeeds = (texts: ReadonlyArray<string>): ReadonlyArray<Parsed> =>
  JSON.parse(
    execFileSync(python(), [fileURLToPath(new URL("validate.py", import.meta.url))], {
      input: JSON.stringify(texts),
      maxBuffer: 64 * 1024 * 1024,
      encoding: "utf8"
    })
  ) as ReadonlyArray<Parsed>
