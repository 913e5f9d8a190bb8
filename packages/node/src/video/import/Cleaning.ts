import { constraints } from "@kinora/domain/enums/Constraints"
import { isVideoLanguage } from "@kinora/domain/enums/VideoLanguage"
import { characters } from "@kinora/domain/fields/Values"
import type { ExternalVideo } from "@kinora/media/ytdlp/ExternalVideo"
import type { ImportedFacts } from "@kinora/storage/video/import/ImportWork"

const { chapter, video } = constraints

/** Invisible characters other than line breaks and tabs, and characters that change the text direction. */
// oxlint-disable-next-line no-control-regex -- these characters are what is removed
const invisible = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g

const cut = (text: string, max: number): string =>
  characters(text) <= max ? text : Array.from(text).slice(0, max).join("").trimEnd()

/** Foreign text within limits. Undefined if too little remains. */
const manyLines = (text: string, min: number, max: number): string | undefined => {
  const clean = cut(text.toWellFormed().replaceAll("\r\n", "\n").replaceAll(invisible, "").trim(), max)
  return characters(clean) < min ? undefined : clean
}

/** The same on one line. */
export const singleLine = (text: string, min: number, max: number): string | undefined =>
  manyLines(text.replaceAll(/\s+/g, " "), min, max)

const tagsOf = (tags: ReadonlyArray<string>): ReadonlyArray<string> => {
  const kept = new Map<string, string>()
  for (const tag of tags) {
    const clean = singleLine(tag, video.tag.min, video.tag.max)
    if (clean !== undefined && !kept.has(clean.toLowerCase())) kept.set(clean.toLowerCase(), clean)
  }
  return [...kept.values()].slice(0, video.tags.max)
}

const languageOf = (language: string | undefined): string | undefined => {
  const known = [language, language?.split("-", 1)[0]].filter((code) => code !== undefined)
  return known.find(isVideoLanguage)
}

const chaptersOf = (chapters: ExternalVideo["chapters"]): NonNullable<ImportedFacts["chapters"]> => {
  const byTime = new Map<number, string>()
  for (const { start, title } of chapters) {
    const clean = singleLine(title, chapter.title.min, chapter.title.max)
    const timecode = Math.floor(start)
    if (clean !== undefined && timecode >= 0 && !byTime.has(timecode)) byTime.set(timecode, clean)
  }
  return [...byTime].slice(0, chapter.max).map(([timecode, title]) => ({ timecode, title }))
}

/** What an external page says about its video, within our limits. */
export const importedFacts = (external: ExternalVideo): ImportedFacts => ({
  name: external.title === undefined ? undefined : singleLine(external.title, video.name.min, video.name.max),
  description:
    external.description === undefined
      ? undefined
      : manyLines(external.description, video.description.min, video.description.max),
  language: languageOf(external.language),
  nsfw: external.nsfw,
  tags: tagsOf(external.tags),
  originallyPublishedAt: external.publishedAt === undefined ? undefined : new Date(external.publishedAt).toISOString(),
  chapters: chaptersOf(external.chapters)
})
