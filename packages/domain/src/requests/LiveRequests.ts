import { Schema } from "effect"
import { constraints } from "../enums/Constraints.ts"
import { liveLatencyModes } from "../enums/Live.ts"
import { type VideoPrivacy, videoPrivacies } from "../enums/VideoPrivacy.ts"
import type { Reader } from "../fields/Field.ts"
import { field, optional } from "../fields/Field.ts"
import { boolean, idOf, integer, nullable } from "../fields/Readers.ts"
import { isAbsent, toBoundedText, toInstant } from "../fields/Values.ts"
import { pageReaders } from "./Pagination.ts"
import { query } from "./Query.ts"
import { VideoUpload } from "./VideoUpload.ts"

/** Settings of the replay that a live leaves (contract: LiveVideoReplaySettings). */
export interface ReplaySettings {
  readonly privacy: VideoPrivacy
}

const replayPrivacy = idOf(videoPrivacies, `Must be one of ${videoPrivacies.join(", ")}`)

const replaySettings: Reader<ReplaySettings> = {
  message: "Must have the privacy of the replay",
  documented: { type: "object", required: ["privacy"], properties: { privacy: replayPrivacy.documented } },
  parse: (input) => {
    if (typeof input !== "object" || input === null) return undefined
    const privacy = replayPrivacy.parse((input as { readonly privacy?: unknown }).privacy)
    return privacy === undefined ? undefined : { privacy }
  }
}

const mostSchedules = 20

/** Instants at which a live is announced to begin. Forms give an object with numbered members where JSON gives a list. */
const schedules: Reader<ReadonlyArray<string>> = {
  message: `Must be at most ${mostSchedules} schedules with startAt, an instant in ISO 8601`,
  documented: {
    type: "array",
    maxItems: mostSchedules,
    items: { type: "object", properties: { startAt: { type: "string", format: "date-time" } } }
  },
  parse: (input) => {
    if (isAbsent(input)) return []
    if (typeof input !== "object" || input === null) return undefined
    const items: ReadonlyArray<unknown> = Array.isArray(input) ? input : Object.values(input)
    if (items.length > mostSchedules) return undefined
    const found = new Set<string>()
    for (const item of items) {
      const startAt =
        typeof item === "object" && item !== null ? (item as { readonly startAt?: unknown }).startAt : null
      if (isAbsent(startAt)) continue
      const instant = toInstant(startAt)
      if (instant === undefined) return undefined
      found.add(instant)
    }
    return [...found].toSorted()
  }
}

/** The longest DVR window that can be asked for, in seconds. */
const longestWindow = 86_400

/** Readers of the fields that only lives have. */
export const liveFields = {
  saveReplay: boolean(),
  replaySettings: nullable(replaySettings),
  permanentLive: boolean(),
  latencyMode: idOf(liveLatencyModes, `Must be one of ${liveLatencyModes.join(", ")}`),
  dvrWindow: nullable(
    integer({
      min: 0,
      max: longestWindow,
      message: `Must be a number of seconds, at most ${longestWindow}`,
      documented: { description: "How far viewers may go back, in seconds" }
    })
  ),
  schedules: nullable(schedules)
} as const

const optionalFields = {
  saveReplay: optional(liveFields.saveReplay),
  replaySettings: optional(liveFields.replaySettings),
  permanentLive: optional(liveFields.permanentLive),
  latencyMode: optional(liveFields.latencyMode),
  dvrWindow: optional(liveFields.dvrWindow),
  schedules: optional(liveFields.schedules)
}

/** Fields of a new live besides its pictures (contract: LiveVideoCreate). */
export const LiveCreate = Schema.Struct({ ...VideoUpload.fields, ...optionalFields })
export type LiveCreate = typeof LiveCreate.Type

/** What changes a live; absent fields stay as they are (contract: LiveVideoUpdate). */
export const LiveUpdate = Schema.Struct(optionalFields)
export type LiveUpdate = typeof LiveUpdate.Type

/** Names every failing field; fields nobody knows are ignored. */
export const decodeLiveCreate = Schema.decodeUnknownEffect(LiveCreate, { errors: "all" })

const { max, min } = constraints.chapter.title

/** The title of a moment that becomes a chapter of the replay. */
export const MarkLive = Schema.Struct({
  title: field({
    message: `Must be a title of ${min} to ${max} characters`,
    documented: { type: "string", minLength: min, maxLength: max },
    parse: (input) => (typeof input === "string" ? toBoundedText(input.trim(), min, max) : undefined)
  } satisfies Reader<string>)
})

/** How sessions are sorted: the oldest first when nothing is asked. */
export const sessionsQuery = query({ sort: pageReaders(["startDate"]).sort })
