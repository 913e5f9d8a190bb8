import { Schema } from "effect"
import { abuseReasons } from "../enums/AbuseReason.ts"
import { abuseStates } from "../enums/AbuseState.ts"
import { constraints } from "../enums/Constraints.ts"
import { documentedKey, field, type JsonSchema, optional, type Reader } from "../fields/Field.ts"
import { idOf, integer, listOf, nullable, oneOf, text } from "../fields/Readers.ts"
import { maxId } from "../ids/Ids.ts"
import { videoReader } from "../ids/VideoIdOrUuid.ts"
import { defaultPage, pageReaders, type Sort } from "./Pagination.ts"
import { jsonOrForm } from "./Payload.ts"
import { query, type QueryOf } from "./Query.ts"
import { rowId, userFields } from "./UserFields.ts"

const bounds = constraints.abuse

/** Path of one report. */
export const abuseParams = { abuseId: field(rowId("a report")) }

/** Path of one message about a report. */
export const abuseMessageParams = { ...abuseParams, abuseMessageId: field(rowId("a message")) }

/** Text that says something. */
const words = (what: string, { max, min }: { readonly min: number; readonly max: number }): Reader<string> => {
  const reader = text({ min, max, message: `Must be ${what} of ${min} to ${max} characters` })
  return {
    ...reader,
    parse: (input) => {
      const given = reader.parse(input)
      return given === undefined || given.trim() === "" ? undefined : given
    }
  }
}

const reasonNames = Object.keys(abuseReasons)
const namedReasons = listOf(oneOf(reasonNames, ""), `Must be reasons out of ${reasonNames.join(", ")}`, {
  type: "array",
  items: { type: "string", enum: reasonNames },
  maxItems: bounds.reasons.max
})

/** Predefined reasons by their names, given as their ids, each once. */
const reasons: Reader<ReadonlyArray<number>> = {
  ...namedReasons,
  parse: (input) => {
    const names = namedReasons.parse(input)
    return names === undefined || names.length > bounds.reasons.max
      ? undefined
      : [...new Set(names.map((name) => abuseReasons[name]!))]
  }
}

const seconds = nullable(
  integer({ min: 0, max: bounds.seconds.max, message: `Must be whole seconds, 0 to ${bounds.seconds.max}` })
)

const thing = (what: string, id: JsonSchema, more: Readonly<Record<string, JsonSchema>> = {}) => ({
  message: `Must be an object with the id of ${what}`,
  [documentedKey]: { type: "object", required: ["id"], properties: { id, ...more } }
})

/** Body of `POST /abuses`: of the three things one is reported (contract: AbuseCreate). */
export const NewAbuse = Schema.Struct({
  reason: field(words("a reason", bounds.reason)),
  predefinedReasons: optional(reasons),
  video: Schema.optionalKey(
    Schema.Struct({ id: field(videoReader), startAt: optional(seconds), endAt: optional(seconds) }).annotate(
      thing("a video", videoReader.documented, { startAt: seconds.documented, endAt: seconds.documented })
    )
  ),
  comment: Schema.optionalKey(
    Schema.Struct({ id: field(rowId("a comment")) }).annotate(thing("a comment", rowId("a comment").documented))
  ),
  account: Schema.optionalKey(
    Schema.Struct({ id: field(rowId("an account")) }).annotate(thing("an account", rowId("an account").documented))
  )
})
export type NewAbuse = typeof NewAbuse.Type

export const newAbuse = jsonOrForm(NewAbuse)

/** Body of `PUT /abuses/:abuseId`: what is missing stays (contract: AbuseUpdate). */
export const AbuseUpdate = Schema.Struct({
  state: optional(idOf(abuseStates, `Must be one of the states ${abuseStates.join(", ")}`)),
  moderationComment: optional(nullable(words("a comment", bounds.moderationComment)))
})
export type AbuseUpdate = typeof AbuseUpdate.Type

/** Body of `POST /abuses/:abuseId/messages`. */
export const newAbuseMessage = jsonOrForm(Schema.Struct({ message: field(words("a message", bounds.message)) }))

/** Columns lists of reports can be sorted by (contract: SortableColumns.abuses). */
const sortColumns = ["id", "createdAt", "state"] as const

const myReaders = {
  ...pageReaders(sortColumns),
  id: integer({ min: 1, max: maxId, message: "Must be the id of a report" }),
  state: idOf(abuseStates, `Must be one of the states ${abuseStates.join(", ")}`)
}

const kinds = ["video", "comment", "account"] as const
/** What is reported. */
export type AbuseKind = (typeof kinds)[number]

const videoConditions = ["deleted", "blacklisted"] as const

const allReaders = {
  ...myReaders,
  search: userFields.search,
  searchReporter: userFields.search,
  searchReportee: userFields.search,
  searchVideo: userFields.search,
  searchVideoChannel: userFields.search,
  predefinedReason: reasons,
  videoIs: oneOf(videoConditions, `Must be one of ${videoConditions.join(", ")}`),
  filter: oneOf(kinds, `Must be one of ${kinds.join(", ")}`)
}

/** Query of one's own reports. */
export const myAbusesQuery = query(myReaders)

/** Query of all reports, for moderators. */
export const allAbusesQuery = query(allReaders)

/** What a list of reports is asked for, defaults filled in. */
export interface AbuseListQuery extends Omit<QueryOf<typeof allReaders>, "start" | "count" | "sort"> {
  readonly start: number
  readonly count: number
  readonly sort: Sort<(typeof sortColumns)[number]>
}

/** The newest first. */
export const toAbuseListQuery = (given: QueryOf<typeof allReaders> | QueryOf<typeof myReaders>): AbuseListQuery => ({
  ...defaultPage,
  sort: { by: "createdAt", descending: true },
  ...given
})
