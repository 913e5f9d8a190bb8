import { Effect, Schema } from "effect"
import type { ExternalVideo, ListedVideo } from "./ExternalVideo.ts"

/** A field that counts as absent if it has the wrong type: pages are not reliable. */
const field = <S extends Schema.Constraint>(schema: S) =>
  Schema.optionalKey(schema).pipe(Schema.catchDecoding(() => Effect.succeedNone))

const texts = Schema.Array(Schema.NullOr(Schema.String))

const Chapter = Schema.Struct({ title: field(Schema.String), start_time: field(Schema.Finite) })

const ExternalRaw = Schema.Struct({
  title: field(Schema.String),
  description: field(Schema.String),
  tags: field(texts),
  categories: field(texts),
  language: field(Schema.String),
  license: field(Schema.String),
  age_limit: field(Schema.Finite),
  thumbnail: field(Schema.String),
  timestamp: field(Schema.Finite),
  release_timestamp: field(Schema.Finite),
  upload_date: field(Schema.String),
  duration: field(Schema.Finite),
  chapters: field(Schema.Array(Chapter)),
  is_live: field(Schema.Boolean),
  live_status: field(Schema.String),
  webpage_url: field(Schema.String)
})

const ListedRaw = Schema.Struct({
  url: field(Schema.String),
  webpage_url: field(Schema.String),
  timestamp: field(Schema.Finite),
  upload_date: field(Schema.String),
  ie_key: field(Schema.String),
  _type: field(Schema.String)
})
type ListedRaw = typeof ListedRaw.Type

const readExternal = Schema.decodeUnknownOption(Schema.fromJsonString(ExternalRaw))
const readListed = Schema.decodeUnknownOption(Schema.fromJsonString(ListedRaw))

/** Control characters except line feed and tab, lone surrogates, and marks that change the text direction. */
// oxlint-disable-next-line no-control-regex
const unwanted = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]|\p{Cs}/gu

/** At most `max` UTF-16 units, without splitting a character. */
const cut = (text: string, max: number): string => {
  if (text.length <= max) return text
  const last = text.charCodeAt(max - 1)
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? max - 1 : max)
}

const paragraph = (text: string | undefined, max: number): string | undefined => {
  const clean = cut((text ?? "").replaceAll(/\r\n?/g, "\n").replaceAll(unwanted, "").trim(), max).trim()
  return clean === "" ? undefined : clean
}

/** On one line. */
export const cleanLine = (text: string | undefined, max: number): string | undefined =>
  paragraph(text?.replaceAll(/\s+/gu, " "), max)

const address = (text: string | undefined, max: number, schemes: ReadonlyArray<string>): string | undefined => {
  if (text === undefined || text.length > max) return undefined
  const url = URL.parse(text)
  if (url === null || !schemes.includes(url.protocol) || url.username !== "" || url.password !== "") return undefined
  return url.href.length > max ? undefined : url.href
}

const web = ["https:", "http:"]

const latest = Date.UTC(9999, 11, 31)

const inTime = (millis: number): number | undefined =>
  Number.isFinite(millis) && millis > 0 && millis < latest ? Math.trunc(millis) : undefined

const publishedAt = (raw: {
  readonly timestamp?: number
  readonly release_timestamp?: number
  readonly upload_date?: string
}): number | undefined => {
  const seconds = raw.release_timestamp ?? raw.timestamp
  if (seconds !== undefined) return inTime(seconds * 1000)
  const day = /^(\d{4})(\d\d)(\d\d)$/.exec(raw.upload_date ?? "")
  return day === null ? undefined : inTime(Date.UTC(Number(day[1]), Number(day[2]) - 1, Number(day[3])))
}

const tagsOf = (tags: ReadonlyArray<string | null>): ReadonlyArray<string> => {
  const found = new Map<string, string>()
  for (const raw of tags.slice(0, 500)) {
    const tag = cleanLine(raw ?? undefined, 31)
    if (tag === undefined || tag.length < 2 || tag.length > 30) continue
    if (!found.has(tag.toLowerCase())) found.set(tag.toLowerCase(), tag)
    if (found.size === 5) break
  }
  return [...found.values()]
}

const chaptersOf = (chapters: ReadonlyArray<typeof Chapter.Type>): ExternalVideo["chapters"] =>
  chapters
    .slice(0, 200)
    .flatMap(({ start_time: start, title }) => {
      const name = cleanLine(title, 100)
      return name === undefined || start === undefined || start < 0 ? [] : [{ title: name, start }]
    })
    .toSorted((one, other) => one.start - other.start)

/** Parses one line of `describe`. Undefined if it is invalid. `asked`: the requested URL. */
export const readExternalVideo = (line: string, asked: string): ExternalVideo | undefined => {
  const decoded = readExternal(line)
  if (decoded._tag === "None") return undefined
  const raw = decoded.value
  return {
    url: address(raw.webpage_url, 2000, web) ?? asked,
    title: cleanLine(raw.title, 120),
    description: paragraph(raw.description, 10_000),
    tags: tagsOf(raw.tags ?? []),
    language: /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/.exec(raw.language ?? "")?.[0].toLowerCase(),
    licence: cleanLine(raw.license, 200),
    category: cleanLine(raw.categories?.find((it) => it !== null) ?? undefined, 100),
    nsfw: (raw.age_limit ?? 0) >= 18,
    thumbnailUrl: address(raw.thumbnail, 4000, ["https:"]),
    publishedAt: publishedAt(raw),
    duration: raw.duration !== undefined && raw.duration > 0 ? raw.duration : undefined,
    chapters: chaptersOf(raw.chapters ?? []),
    isLive: raw.is_live === true || ["is_live", "is_upcoming", "post_live"].includes(raw.live_status ?? "")
  }
}

/** Lists of lists, such as the tabs of a channel, are recognised by the name of their extractor. */
const ofLists = /(?:Tab|Playlist|Channel|User)$/

export interface ListedEntries {
  readonly videos: ReadonlyArray<ListedVideo>
  /** URLs of further lists. */
  readonly lists: ReadonlyArray<string>
}

/** Parses the lines of `list`. Videos that share a page are distinguished by the URL of their file. */
export const readListedVideos = (lines: ReadonlyArray<string>): ListedEntries => {
  const entries = lines.flatMap((line) => {
    const decoded = readListed(line)
    return decoded._tag === "None" ? [] : [decoded.value]
  })
  const pages = new Map<string, number>()
  for (const { webpage_url: page } of entries) if (page !== undefined) pages.set(page, (pages.get(page) ?? 0) + 1)
  const addressOf = (entry: ListedRaw) => {
    const page = entry.webpage_url
    const own = page !== undefined && pages.get(page) === 1 ? page : undefined
    return address(own, 2000, web) ?? address(entry.url, 2000, web)
  }
  const videos = new Map<string, ListedVideo>()
  const lists = new Set<string>()
  for (const entry of entries) {
    const url = addressOf(entry)
    if (url === undefined) continue
    if ((entry._type ?? "").startsWith("url") && ofLists.test(entry.ie_key ?? "")) lists.add(url)
    else if (!videos.has(url)) videos.set(url, { url, publishedAt: publishedAt(entry) })
  }
  return { videos: [...videos.values()], lists: [...lists] }
}
