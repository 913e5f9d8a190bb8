import { constraints } from "@kinora/domain/enums/Constraints"
import type { Chapter } from "@kinora/domain/requests/ChapterRequests"
import type { ChapterSources } from "@kinora/storage/video/chapter/ChapterReads"

const { max, title } = constraints.chapter

/** `1:02:03 Title`, `- [2:03] Title`, `02:03 – Title`: a line that begins with a timestamp. */
const line = /^[\s\-*•>]{0,8}[[(]?(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[\])]?(?:\s*[-–—:|.)]\s*|\s+)(\S.*)$/u

const cut = (text: string): string => [...text.trim()].slice(0, title.max).join("").trim()

const atLine = (text: string): Chapter | undefined => {
  const [, hours = "0", minutes, seconds, name] = line.exec(text.slice(0, 500)) ?? []
  if (minutes === undefined || seconds === undefined || name === undefined) return undefined
  const [m, s] = [Number(minutes), Number(seconds)]
  if (s > 59 || (hours !== "0" && m > 59)) return undefined
  return { timecode: Number(hours) * 3600 + m * 60 + s, title: cut(name) }
}

/**
 * Chapters listed in a description: at least two lines that begin with a timestamp, each later than the one before. A
 * list that goes back in time is not a list of chapters. Timestamps after the end of the video are ignored.
 *
 * @param duration of the video in seconds
 */
export const chaptersInText = (text: string, duration: number): ReadonlyArray<Chapter> => {
  const found = text
    .split(/\r?\n/)
    .map(atLine)
    .filter((one) => one !== undefined)
  const ascending = found.every((one, i) => i === 0 || one.timecode > found[i - 1]!.timecode)
  if (!ascending) return []
  const inside = found.filter(({ timecode }) => timecode < duration).slice(0, max)
  return inside.length < 2 ? [] : inside
}

/** Chapters of a file, from ffprobe's output (`start_time` in seconds, `tags.title`). */
const chaptersInFile = (probed: unknown): ReadonlyArray<Chapter> => {
  const found = new Map<number, Chapter>()
  for (const one of Array.isArray(probed) ? probed : []) {
    const { start_time, tags } = Object(one) as { start_time?: unknown; tags?: { title?: unknown } }
    const timecode = Math.floor(Number(start_time))
    const name = typeof tags?.title === "string" ? cut(tags.title) : ""
    if (timecode >= 0 && Number.isSafeInteger(timecode) && name !== "" && found.size < max && !found.has(timecode)) {
      found.set(timecode, { timecode, title: name })
    }
  }
  return [...found.values()].toSorted((a, b) => a.timecode - b.timecode)
}

/**
 * The chapters that were set by hand, even if the list is empty; else those in the description; else those in the file.
 */
export const chaptersOf = ({ byHand, description, duration, ofFile }: ChapterSources): ReadonlyArray<Chapter> => {
  if (byHand !== null) return byHand
  const listed = chaptersInText(description ?? "", duration)
  return listed.length > 0 ? listed : chaptersInFile(ofFile)
}
