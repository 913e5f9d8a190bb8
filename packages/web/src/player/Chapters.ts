import type { Chapter } from "../api/Wire.ts"
import { element } from "./Dom.ts"

/** The chapter that a moment lies in; undefined before the first. `chapters` are in their order. */
export const chapterAt = (chapters: ReadonlyArray<Chapter>, seconds: number): Chapter | undefined =>
  chapters.findLast((it) => it.timecode <= seconds)

/** Where chapters begin, as marks on a bar that is as long as the video: none at its very start. */
export const chapterMarks = (chapters: ReadonlyArray<Chapter>, duration: number): ReadonlyArray<HTMLElement> =>
  chapters
    .filter((it) => it.timecode > 0 && it.timecode < duration)
    .map((it) => {
      const mark = element("div", { class: "kp-seek-chapter" })
      mark.style.left = `${(it.timecode / duration) * 100}%`
      return mark
    })
