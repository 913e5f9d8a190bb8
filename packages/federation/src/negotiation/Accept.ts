import { isActivityType } from "./ActivityTypes.ts"

const activityTypes = ["application/activity+json", "application/ld+json"]

interface Range {
  readonly type: string
  readonly quality: number
}

const parse = (header: string): ReadonlyArray<Range> =>
  header
    .slice(0, 2_000)
    .toLowerCase()
    .split(",")
    .map((part) => {
      const [type = "", ...parameters] = part.split(";").map((it) => it.trim())
      const q = parameters.find((it) => it.startsWith("q="))
      const quality = q === undefined ? 1 : Number(q.slice(2))
      // JSON-LD of another profile is nothing we have.
      if (type === "application/ld+json" && !isActivityType(part)) return { type, quality: 0 }
      return { type, quality: Number.isFinite(quality) ? quality : 0 }
    })

/** Quality a header gives a type: the most specific range decides (RFC 9110, 12.5.1). */
const qualityOf = (ranges: ReadonlyArray<Range>, type: string): number => {
  const family = `${type.slice(0, type.indexOf("/"))}/*`
  for (const range of [type, family, "*/*"]) {
    const found = ranges.find((it) => it.type === range)
    if (found !== undefined) return found.quality
  }
  return 0
}

/** Whether a client prefers an ActivityPub object to a page (contract/activitypub.json `http.negotiationOrder`). */
export const wantsActivity = (accept: string | undefined): boolean => {
  if (accept === undefined || accept === "") return false
  const ranges = parse(accept)
  const activity = Math.max(...activityTypes.map((it) => qualityOf(ranges, it)))
  const page = Math.max(qualityOf(ranges, "text/html"), qualityOf(ranges, "application/json"))
  return activity > page || (activity === page && activity > 0 && activityNamedFirst(ranges))
}

/** At equal quality, what the client named by itself and first wins; a wildcard means a page. */
const activityNamedFirst = (ranges: ReadonlyArray<Range>): boolean => {
  const first = ranges.find((it) => activityTypes.includes(it.type) || /^(text\/html|application\/json)$/.test(it.type))
  return first !== undefined && activityTypes.includes(first.type)
}

/** Whether a client asks for pages by name, as browsers do. */
export const namesHtml = (accept: string | undefined): boolean =>
  accept !== undefined &&
  qualityOf(
    parse(accept).filter((it) => it.type === "text/html"),
    "text/html"
  ) > 0

/** Whether a client that reads XRD or JRD would rather have JRD (RFC 6415, 3.1); XRD is what it gets when it does not say. */
export const prefersJson = (accept: string | undefined): boolean => {
  if (accept === undefined) return false
  const ranges = parse(accept)
  const most = (types: ReadonlyArray<string>) => Math.max(...types.map((it) => qualityOf(ranges, it)))
  return (
    most(["application/jrd+json", "application/json"]) > most(["application/xrd+xml", "application/xml", "text/xml"])
  )
}
