import { Result } from "effect"
import { publicCollection } from "../vocabulary/Terms.ts"
import type { Json, JsonObject } from "../vocabulary/Json.ts"
import { MalformedDocument } from "../vocabulary/Normalise.ts"
import { addressOf, identifiersOf, integerOf, listOf, textOf } from "../vocabulary/Reading.ts"
import { isObject } from "../vocabulary/Json.ts"
import { seemsHtml, textOfHtml } from "../vocabulary/PlainText.ts"

/** A picture somewhere else. Sizes are null where nobody says. */
export interface PictureLink {
  readonly url: string
  readonly width: number | null
  readonly height: number | null
}

export const malformed = (why: string) => Result.fail(new MalformedDocument({ why }))

/** Whom something is for. */
export const audienceOf = (object: JsonObject): "public" | "unlisted" | "others" => {
  if (identifiersOf(object["to"]).includes(publicCollection)) return "public"
  return identifiersOf(object["cc"]).includes(publicCollection) ? "unlisted" : "others"
}

/** The address of a link, however it is written: text, an object with `href`, `url` or `id`, the first of a list. */
export const linkOf = (value: Json | undefined): string | null => {
  for (const entry of listOf(value).slice(0, 20)) {
    const address = isObject(entry)
      ? (addressOf(entry["href"]) ??
        (isObject(entry["url"]) ? null : addressOf(entry["url"])) ??
        addressOf(entry["id"]))
      : addressOf(entry)
    if (address !== null) return address
  }
  return null
}

const maxPixels = 20_000

/** Pictures of a member that may be text, an image or a list of them; at most `most`. */
export const picturesOf = (value: Json | undefined, most: number): ReadonlyArray<PictureLink> =>
  listOf(value)
    .slice(0, 50)
    .flatMap((entry) => {
      const url = isObject(entry) ? (linkOf(entry["url"]) ?? addressOf(entry["href"])) : addressOf(entry)
      if (url === null) return []
      const of = (name: string) => (isObject(entry) ? integerOf(entry[name], 1, maxPixels) : null)
      return [{ url, width: of("width"), height: of("height") }]
    })
    .slice(0, most)

/** People a text mentions: names such as `@ann@far.example`, by the addresses their links lead to. */
const mentionNames = (object: JsonObject): ReadonlyMap<string, string> => {
  const names = new Map<string, string>()
  for (const tag of listOf(object["tag"]).slice(0, 100)) {
    if (!isObject(tag) || tag["type"] !== "Mention") continue
    const href = addressOf(tag["href"])
    const name = textOf(tag["name"], 200)
    if (href !== null && name !== null && /^@[^\s@]+@[^\s@]+$/.test(name)) names.set(href, name)
  }
  return names
}

/** Text in Markdown of a member that may be HTML; null when nothing is left. `assumed` is for those that do not say. */
export const markdownOf = (object: JsonObject, name: string, max: number, assumed: "html" | "guess"): string | null => {
  // Before HTML is made into text, so that no tag is cut into two.
  const raw = textOf(object[name], 100_000)
  if (raw === null) return null
  const type = textOf(object["mediaType"], 100)
  const isHtml = type === null ? assumed === "html" || seemsHtml(raw) : /html/i.test(type)
  return textOf(isHtml ? textOfHtml(raw, mentionNames(object)) : raw, max)
}

/** Hashtags of an object without `#`, each once, at most 30 of 1 to 50 characters. */
export const hashtagsOf = (object: JsonObject): ReadonlyArray<string> => {
  const names = new Map<string, string>()
  for (const tag of listOf(object["tag"]).slice(0, 200)) {
    const name = isObject(tag) && tag["type"] === "Hashtag" ? textOf(tag["name"], 60)?.replace(/^#/, "") : undefined
    if (name !== undefined && name.length > 0 && name.length <= 50) names.set(name.toLowerCase(), name)
  }
  return [...names.values()].slice(0, 30)
}
