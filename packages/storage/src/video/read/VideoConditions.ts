import type { ListFacts } from "./ListFacts.ts"
import { type Parameters, subscribedChannels, type SubscriptionsScope } from "./VideoQuery.ts"
import { safeText } from "../../platform/database/LikeText.ts"

/** Columns that are compared with what a query names. */
export type NamedColumn = "category" | "licence" | "language"

/** Text of the conditions on `video v` that can be put in several ways, of which some are quick for one plan alone. */
export interface VideoConditions {
  readonly named: (column: NamedColumn, values: ReadonlyArray<string | number>, parameters: Parameters) => string
  readonly tagsOneOf: (names: ReadonlyArray<string>, parameters: Parameters) => string
  /** Names without repetition. */
  readonly tagsAllOf: (names: ReadonlyArray<string>, parameters: Parameters) => string
  readonly host: (host: string, parameters: Parameters) => string
  readonly hasHls: string
  readonly hasWebVideos: string
  readonly unwatched: (userId: number, parameters: Parameters) => string
  readonly subscribed: (scope: SubscriptionsScope, parameters: Parameters) => string
}

const types: Readonly<Record<NamedColumn, string>> = { category: "int", licence: "int", language: "text" }

const tagged = (names: string) =>
  `select vt.video_id from tag t join video_tag vt on vt.tag_id = t.id where t.name = any(${names}::text[]::citext[])`

/** Looked up once and hashed: a row costs no more than without. */
const unwatched: VideoConditions["unwatched"] = (userId, parameters) =>
  `v.id not in (select h.video_id from user_video_history h where h.user_id = ${parameters.add(userId)})`

/** Looked up once and hashed, too: a bare "in" would be joined with, in whatever order. */
const subscribed: VideoConditions["subscribed"] = (scope, parameters) =>
  `(v.channel_id in (${subscribedChannels(scope, parameters)})) is true`

/** Conditions that hold for whatever has the columns of a video, `video_document` too, and need no facts. */
export const anywhere: VideoConditions = {
  named: (column, values, parameters) => `v.${column} = any(${parameters.add(values)}::${types[column]}[])`,
  tagsOneOf: (names, parameters) => `v.id in (${tagged(parameters.add(names.map(safeText)))})`,
  tagsAllOf: (names, parameters) =>
    `v.id in (${tagged(parameters.add(names))} group by vt.video_id having count(*) = ${parameters.add(names.length)})`,
  host: (name, parameters) => {
    const host = parameters.add(safeText(name))
    return `case when ${host}::citext = wire_host(wire_origin())::citext then v.server_id is null
        else v.server_id = (select id from server where host = ${host}::citext) end`
  },
  hasHls: "exists (select 1 from streaming_playlist s where s.video_id = v.id)",
  hasWebVideos: "exists (select 1 from video_file f where f.video_id = v.id)",
  unwatched,
  subscribed
}

/**
 * How the statement finds its rows. `walk`: in the order of an index, row by row, until the page is full: what is looked
 * up must be looked up for each row alone, and `opaque` keeps the planner from another index than that of the order.
 * `each`: the same within each channel `s`.
 * `gather`: all that match, in no order. `gathered`: few of them are at hand, and looked at like those that are walked.
 */
export type Traversal = "walk" | "opaque" | "gather" | "gathered" | "each"

/** Rows whose ids these are, in the order of an index: a subquery would be joined to all videos. */
const lookedUp = (ids: string): string => `v.id = any(array(${ids}))`

/** The ids are looked up once and hashed; the planner, which would make a join of it, leaves a comparison alone. */
const hashed = (ids: string): string => `(v.id in (${ids})) is true`

/** Conditions over the table `video` itself, with what is known of the query. */
export const inList = (facts: ListFacts, traversal: Traversal): VideoConditions => ({
  named: (column, values, parameters) => {
    if (values.length !== 1) return anywhere.named(column, values, parameters)
    const value = `${parameters.add(values[0])}::${types[column]}`
    if (traversal !== "opaque") return `v.${column} = ${value}`
    return column === "language" ? `v.language || '' = ${value}` : `v.${column} + 0 = ${value}`
  },
  tagsOneOf: (_, parameters) => {
    if (traversal === "gathered" && facts.few?.whole === "tagsOneOf") return "true"
    if (facts.tagsOneOf === undefined || facts.tagsOneOf.length === 0) return "false"
    const ids = `${parameters.add(facts.tagsOneOf)}::int[]`
    const having = `select vt.video_id from video_tag vt where vt.tag_id = any(${ids})`
    if (traversal === "gather") return lookedUp(having)
    return facts.hashed?.one === true && traversal !== "gathered"
      ? hashed(having)
      : `(select true from video_tag vt where vt.video_id = v.id and vt.tag_id = any(${ids}) limit 1)`
  },
  tagsAllOf: (names, parameters) => {
    if (traversal === "gathered" && facts.few?.whole === "tagsAllOf") return "true"
    if (facts.tagsAllOf === undefined || facts.tagsAllOf.length < names.length) return "false"
    const one = (id: number) => `select vt.video_id from video_tag vt where vt.tag_id = ${parameters.add(id)}::int`
    const having = () => facts.tagsAllOf!.map(one).join(" intersect ")
    if (traversal === "gather") return lookedUp(having())
    if (facts.hashed?.all === true && traversal !== "gathered") return hashed(having())
    const ids = `${parameters.add(facts.tagsAllOf)}::int[]`
    const count = parameters.add(names.length)
    return `(select count(*) from video_tag vt where vt.video_id = v.id and vt.tag_id = any(${ids})) = ${count}`
  },
  host: (_, parameters) => {
    if (facts.server === undefined || facts.server === null) return "false"
    if (facts.server === "ours") return "not v.remote"
    const id = parameters.add(facts.server)
    return traversal === "opaque" ? `v.server_id + 0 = ${id}::int` : `v.server_id = ${id}::int`
  },
  hasHls: "v.has_hls",
  hasWebVideos: "v.has_web_videos",
  unwatched,
  subscribed: (scope, parameters) => {
    if (traversal === "gathered" && facts.few?.whole === "subscriptions") return "true"
    if (traversal === "each") return "v.channel_id = s.id"
    return traversal === "gather"
      ? `v.channel_id in (${subscribedChannels(scope, parameters)})`
      : subscribed(scope, parameters)
  }
})
