import { constraints } from "@kinora/domain/enums/Constraints"
import { clock } from "../../i18n/Units.ts"

export interface Chapter {
  readonly timecode: number
  readonly title: string
}

/** Chapters as lines: when each begins, then its title. */
export const linesOf = (chapters: ReadonlyArray<Chapter>): string =>
  chapters.map((it) => `${clock(it.timecode)} ${it.title}`).join("\n")

const chapterOf = (line: string): Chapter | undefined => {
  const [, time = "", rest = ""] = /^((?:\d+:)?\d+:\d\d)\s+(.*)$/.exec(line) ?? []
  const title = rest.trim()
  const timecode = time.split(":").reduce((sum, part) => sum * 60 + Number(part), 0)
  const { max, min } = constraints.chapter.title
  return time === "" || title.length < min || title.length > max ? undefined : { timecode, title }
}

/** The chapters of lines, or the number of the first line that is none. Two of one time are one too many. */
export const chaptersOf = (text: string): ReadonlyArray<Chapter> | number => {
  const chapters: Array<Chapter> = []
  for (const [i, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue
    const chapter = chapterOf(line.trim())
    if (chapter === undefined || chapters.some((it) => it.timecode === chapter.timecode)) return i + 1
    chapters.push(chapter)
  }
  return chapters
}
