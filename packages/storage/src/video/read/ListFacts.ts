import type { VideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { noLanguage, Parameters, subscribedChannels, type VideoScope } from "./VideoQuery.ts"
import { safeText } from "../../platform/database/LikeText.ts"

/** What is found out of a query's names before its statement is made. */
export interface ListFacts {
  /** Row id of the host's server; null when it is not known. */
  readonly server?: number | "ours" | null | undefined
  readonly tagsOneOf?: ReadonlyArray<number> | undefined
  readonly tagsAllOf?: ReadonlyArray<number> | undefined
  /** Tags are so few videos' that these are looked up once, instead of the tags of each video. */
  readonly hashed?: { readonly one: boolean; readonly all: boolean } | undefined
  /** A filter that leaves few videos. */
  readonly few?: Few | undefined
  /** What is asked for is of this instance, and there is not so much of it that an order would have to be walked. */
  readonly fewOurs?: boolean | undefined
  /** Channels are so few that the first videos of each, put together, make the page sooner than a walk. */
  readonly byChannel?: boolean | undefined
}

/** Few videos that have one thing in common: gathered first, then filtered and sorted. */
export interface Few {
  /** `select … as id`, with its values as parameters of the statement it goes into. */
  readonly select: (parameters: Parameters) => string
  /** By what they have in common, an index has them in the order of publication. */
  readonly ordered: boolean
  /** The filter that need not be looked at again: all that are selected pass it. */
  readonly whole?: "tagsOneOf" | "tagsAllOf" | "subscriptions" | undefined
}

/**
 * From so many videos on, walking the order of a list meets enough of them sooner than reading them all: more of them for a
 * deeper page. Among a million; among fewer neither takes long.
 */
const many = ({ count, start }: VideoListQuery): number =>
  Math.round(Math.min(10_000, Math.max(1_500, 255 * Math.sqrt(start + count))))

/** Uses of a tag are counted no further: up to here the videos that have it are looked up once, from here on one by one. */
const mostUses = 50_000

/** Microseconds: passing one entry of an index, or one use of a tag; reading one video; looking up the tags of one. */
const costs = { pass: 1.3, use: 0.3, read: 20, lookup: 6 }

/**
 * Whether videos that have all of these tags are found sooner by reading them all than by walking the order, were the tags
 * independent of each other.
 */
const intersects = (uses: ReadonlyArray<number>, videos: number, page: number): boolean => {
  const common = uses.reduce((left, use) => (left * use) / Math.max(1, videos), Math.max(1, videos))
  const walked = Math.min(videos, (page * videos) / Math.max(common, 0.1))
  const gathering = uses.reduce((total, use) => total + use * costs.use, 0)
  const walking = walked * (areFew(uses) ? costs.pass : costs.lookup) + (areFew(uses) ? gathering : 0)
  return gathering + common * costs.read < walking
}

/** Whether to look up once which videos have all of these tags, for a walk that asks it of each. */
const areFew = (uses: ReadonlyArray<number>): boolean => uses.every((use) => use <= mostUses)

/** Up to so many videos of this instance, sorting them is quicker than meeting them among the others'. */
const manyOurs = 50_000

/** Up to so many videos are looked at to make a page out of the first ones of each channel. */
const mostOfChannels = 50_000

interface Candidate extends Few {
  readonly count: number
}

const from = (condition: string) => `select x.id from video x where ${condition}`

/** Filters that may leave few videos, as text that takes its values from `parameters`. */
const candidatesOf = (query: VideoListQuery): Readonly<Record<string, Few["select"]>> => {
  const { categoryOneOf, isLive, languageOneOf } = query
  return {
    ...(categoryOneOf === undefined
      ? {}
      : { category: (parameters: Parameters) => from(`x.category = any(${parameters.add(categoryOneOf)}::int[])`) }),
    ...(languageOneOf === undefined || languageOneOf.includes(noLanguage) || query.narrowing?.captions === true
      ? {}
      : {
          language: (parameters: Parameters) =>
            from(`x.language = any(${parameters.add(languageOneOf.map(safeText))}::text[])`)
        }),
    ...(isLive === true ? { live: () => from("x.is_live") } : {})
  }
}

const bounded = (select: string, most: number) => `(select count(*) from (${select} limit ${most + 1}) b)`

interface Found {
  readonly server?: number | null
  readonly ours?: boolean
  readonly onServer?: number
  readonly one?: ReadonlyArray<number>
  readonly all?: ReadonlyArray<number>
  readonly category?: number
  readonly language?: number
  readonly live?: number
  readonly local?: number
  readonly videos?: number
  readonly channels?: number
  readonly subscribed?: number
}

/** Whether there is anything to find out. */
export const needsFacts = (query: VideoListQuery, scope?: VideoScope): boolean =>
  scope?._tag === "Subscriptions" ||
  query.isLocal === true ||
  query.host !== undefined ||
  query.tagsOneOf !== undefined ||
  query.tagsAllOf !== undefined ||
  Object.keys(candidatesOf(query)).length > 0

const tagIds = (names: string) => `array(select t.id from tag t where t.name = any(${names}::text[]::citext[]))`

/** Counts uses of sets of tags, no further than necessary for an estimate. */
export type TagUses = (sets: ReadonlyArray<ReadonlyArray<number>>) => Effect.Effect<ReadonlyArray<number>, SqlError>

const countUses =
  (sql: SqlClient): TagUses =>
  (sets) =>
    Effect.map(
      sql.unsafe<{ uses: ReadonlyArray<number> }>(
        `select array[${sets
          .map((_, n) => bounded(`select 1 from video_tag vt where vt.tag_id = any($${n + 1}::int[])`, mostUses))
          .join(", ")}]::int[] as uses`,
        sets
      ),
      (rows) => rows[0]!.uses
    )

/** Milliseconds for which uses of tags are remembered: nothing depends on them but which way is quick. */
const usesHold = 300_000
const maxRemembered = 1_000

/** Counts uses of tags that were not counted lately. */
export const makeTagUses = (sql: SqlClient): TagUses => {
  const count = countUses(sql)
  const known = new Map<string, { readonly uses: number; readonly until: number }>()
  return Effect.fnUntraced(function* (sets: ReadonlyArray<ReadonlyArray<number>>) {
    const now = yield* Clock.currentTimeMillis
    const found = sets.map((ids) => known.get(ids.join()))
    const missing = sets.filter((_, n) => found[n] === undefined || found[n].until <= now)
    if (missing.length === 0) return found.map((one) => one!.uses)
    const counted = yield* count(missing)
    if (known.size > maxRemembered) known.clear()
    for (const [n, ids] of missing.entries()) known.set(ids.join(), { uses: counted[n]!, until: now + usesHold })
    return sets.map((ids, n) => (missing.includes(ids) ? counted[missing.indexOf(ids)]! : found[n]!.uses))
  })
}

/**
 * Counts, up to a bound, what each filter leaves, and looks up the rows that the query names. A host that one of
 * `blockerIds` blocks is as one that is not known: a walk would find nothing of it until its end.
 */
export const findListFacts = Effect.fnUntraced(function* (
  sql: SqlClient,
  query: VideoListQuery,
  scope?: VideoScope,
  blockerIds: ReadonlyArray<number> = [],
  usesOf: TagUses = countUses(sql)
) {
  const parameters = new Parameters()
  const columns: Array<string> = []
  const candidates = candidatesOf(query)
  const most = many(query)
  for (const [name, select] of Object.entries(candidates)) {
    columns.push(`${bounded(select(parameters), most)} as ${name}`)
  }
  if (query.isLocal === true) {
    columns.push("(select coalesce(sum(change), 0) from video_total where not remote) as local")
  }
  if (query.host !== undefined) {
    const host = `${parameters.add(safeText(query.host))}::citext`
    const known = `(select id from server where host = ${host})`
    const server = `(select s.id from server s where s.host = ${host} and not exists (
      select 1 from server_block b where b.server_id = s.id and b.account_id = any(${parameters.add(blockerIds)}::int[])
    ))`
    columns.push(`${server} as server`, `${host} = wire_host(wire_origin())::citext as ours`)
    columns.push(`${bounded(from(`x.server_id = ${known}`), most)} as "onServer"`)
  }
  if (query.tagsOneOf !== undefined) {
    columns.push(`${tagIds(parameters.add(query.tagsOneOf.map(safeText)))} as one`)
  }
  if (query.tagsAllOf !== undefined) {
    columns.push(`${tagIds(parameters.add(query.tagsAllOf.map(safeText)))} as all`)
    columns.push("(select coalesce(sum(change), 0) from video_total) as videos")
  }
  const subscribed =
    scope?._tag === "Subscriptions"
      ? (own: Parameters) =>
          `select x.id from (${subscribedChannels(scope, own)}) c join video x on x.channel_id = c.id`
      : undefined
  if (scope?._tag === "Subscriptions") {
    columns.push(`(select count(*) from (${subscribedChannels(scope, parameters)}) c) as channels`)
    columns.push(`${bounded(subscribed!(parameters), most)} as subscribed`)
  }
  const rows = yield* sql.unsafe<Found>(`select ${columns.join(", ")}`, parameters.values)
  const found = rows[0]!

  const counted: Array<Candidate> = []
  if (subscribed !== undefined) {
    counted.push({ select: subscribed, ordered: false, whole: "subscriptions", count: found.subscribed ?? 0 })
  }
  const single = (values: ReadonlyArray<unknown> | undefined) => values?.length === 1
  for (const name of ["category", "language", "live"] as const) {
    const select = candidates[name]
    if (select === undefined) continue
    const ordered = name === "live" || single(name === "category" ? query.categoryOneOf : query.languageOneOf)
    counted.push({ select, ordered, count: found[name] ?? 0 })
  }
  const { server } = found
  if (query.host !== undefined && found.ours !== true && server !== null && server !== undefined) {
    counted.push({
      select: (own) => from(`x.server_id = ${own.add(server)}::int`),
      ordered: true,
      count: found.onServer ?? 0
    })
  }
  const one = found.one ?? []
  const all = found.all ?? []
  const tags = [one, ...all.map((id) => [id])].filter((ids) => ids.length > 0)
  let hashed = { one: false, all: false }
  if (tags.length > 0) {
    const uses = yield* usesOf(tags)
    for (const [n, ids] of tags.entries()) {
      counted.push({
        select: (own) =>
          `select distinct vt.video_id as id from video_tag vt where vt.tag_id = any(${own.add(ids)}::int[])`,
        ordered: false,
        ...(ids === one ? { whole: "tagsOneOf" } : {}),
        count: uses[n]!
      })
    }
    const ofAll = uses.slice(one.length === 0 ? 0 : 1)
    hashed = { one: one.length > 0 && areFew(uses.slice(0, 1)), all: areFew(ofAll) }
    if (all.length > 1 && intersects(ofAll, found.videos ?? 0, query.start + query.count)) {
      counted.push({
        select: (own) =>
          all
            .map((id) => `select vt.video_id as id from video_tag vt where vt.tag_id = ${own.add(id)}::int`)
            .join(" intersect "),
        ordered: false,
        whole: "tagsAllOf",
        // Tags that are rarely used leave fewer still, without being intersected.
        count: Math.min(most, ...ofAll)
      })
    }
  }
  const fewest = counted.filter(({ count }) => count <= most).toSorted((a, b) => a.count - b.count)[0]
  return {
    server: found.ours === true ? "ours" : found.server,
    tagsOneOf: found.one,
    tagsAllOf: found.all,
    hashed,
    few: fewest,
    fewOurs: query.isLocal === true && (found.local ?? 0) <= manyOurs,
    byChannel: subscribed !== undefined && (found.channels ?? 0) * (query.start + query.count) <= mostOfChannels
  } satisfies ListFacts as ListFacts
})
