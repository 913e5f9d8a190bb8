import { Schema } from "effect"
import { constraints } from "../enums/Constraints.ts"
import { field, type Reader } from "../fields/Field.ts"
import { isAbsent, toBoundedText, toInteger } from "../fields/Values.ts"

/** Where something begins, in whole seconds. */
export interface Chapter {
  readonly timecode: number
  readonly title: string
}

const { max, title } = constraints.chapter
const lastTimecode = 2_147_483_647

const toChapter = (input: unknown): Chapter | undefined => {
  if (typeof input !== "object" || input === null) return undefined
  const given = input as { readonly timecode?: unknown; readonly title?: unknown }
  const timecode = toInteger(given.timecode)
  const name = typeof given.title === "string" ? toBoundedText(given.title.trim(), title.min, title.max) : undefined
  return timecode === undefined || timecode < 0 || timecode > lastTimecode || name === undefined
    ? undefined
    : { timecode, title: name }
}

const chapters: Reader<ReadonlyArray<Chapter>> = {
  message: `Must be at most ${max} chapters with a title of ${title.min} to ${title.max} characters, each with a timecode of its own in whole seconds`,
  documented: {
    type: "array",
    maxItems: max,
    items: {
      type: "object",
      required: ["title", "timecode"],
      properties: {
        title: { type: "string", minLength: title.min, maxLength: title.max },
        timecode: { type: "integer", minimum: 0 }
      }
    }
  },
  parse: (input) => {
    const items: ReadonlyArray<unknown> | undefined = Array.isArray(input) ? input : isAbsent(input) ? [] : undefined
    if (items === undefined || items.length > max) return undefined
    const found = items.map(toChapter).filter((one) => one !== undefined)
    const distinct = new Set(found.map(({ timecode }) => timecode))
    return found.length === items.length && distinct.size === found.length ? found : undefined
  }
}

/** The chapters of a video, in any order (contract: replaceVideoChapters). */
export const ReplaceChapters = Schema.Struct({ chapters: field(chapters) })
