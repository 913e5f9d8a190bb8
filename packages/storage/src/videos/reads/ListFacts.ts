import type { VideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { noLanguage, Parameters, safeText } from "./VideoQuery.ts"

/** What is found out of a query's names before its statement is made. */
export interface ListFacts {
  /** Row id of the host's server; null when it is not known. */
  readonly server?: number | "ours" | null | undefined
  readonly tagsOneOf?: ReadonlyArray<number> | undefined
  readonly tagsAllOf?: ReadonlyArray<number> | undefined
  /** A filter that leaves few videos. */
  readonly few?: Few | undefined
  /** What is asked for is of this instance, and there is not so much of it that an order would have to be walked. */
  readonly fewOurs?: boolean | undefined
}

/** Few videos that have one thing in common: gathered first, then filtered and sorted. */
export interface Few {
  /** `select … as id`, with its values as parameters of the statement it goes into. */
  readonly select: (parameters: Parameters) => string
  /** By what they have in common, an index has them in the order of publication. */
  readonly ordered: boolean
  /** The filter that need not be looked at again: all that are selected pass it. */
  readonly whole?: "tagsOneOf" | "tagsAllOf" | undefined
}

/** From so many videos on, walking the order of a list meets enough of them soon: more of them for a deeper page. */
const many = ({ count, start }: VideoListQuery): number =>
  Math.round(Math.min(30_000, Math.max(5_000, 800 * Math.sqrt(start + count))))

/** Uses of a tag are counted no further; more than this are so many that walking meets them. */
const mostUses = 50_000

/** Microseconds: looking up the tags of one video, passing one use of a tag, reading one video that was gathered. */
const costs = { lookup: 6, use: 0.3, read: 4 }

/**
 * Whether videos that have all of these tags are found sooner by what the tags have in common than by walking the order,
 * were the tags independent of each other.
 */
export const intersects = (uses: ReadonlyArray<number>, videos: number, page: number): boolean => {
  const common = uses.reduce((left, use) => (left * use) / Math.max(1, videos), Math.max(1, videos))
  const walked = Math.min(videos, (page * videos) / Math.max(common, 0.1))
  const sum = uses.reduce((total, use) => total + use, 0)
  return sum * costs.use + common * costs.read < walked * costs.lookup
}

/** Up to so many videos of this instance, sorting them is quicker than meeting them among the others'. */
const manyOurs = 50_000

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
    ...(languageOneOf === undefined || languageOneOf.includes(noLanguage)
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
}

/** Whether there is anything to find out. */
export const needsFacts = (query: VideoListQuery): boolean =>
  query.isLocal === true ||
  query.host !== undefined ||
  query.tagsOneOf !== undefined ||
  query.tagsAllOf !== undefined ||
  Object.keys(candidatesOf(query)).length > 0

const tagIds = (names: string) => `array(select t.id from tag t where t.name = any(${names}::text[]::citext[]))`

/** Counts, up to a bound, what each filter leaves, and looks up the rows that the query names. */
export const findListFacts = Effect.fnUntraced(function* (sql: SqlClient, query: VideoListQuery) {
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
    const server = `(select id from server where host = ${host})`
    columns.push(`${server} as server`, `${host} = wire_host(wire_origin())::citext as ours`)
    columns.push(`${bounded(from(`x.server_id = ${server}`), most)} as "onServer"`)
  }
  if (query.tagsOneOf !== undefined) {
    columns.push(`${tagIds(parameters.add(query.tagsOneOf.map(safeText)))} as one`)
  }
  if (query.tagsAllOf !== undefined) {
    columns.push(`${tagIds(parameters.add(query.tagsAllOf.map(safeText)))} as all`)
    columns.push("(select coalesce(sum(change), 0) from video_total) as videos")
  }
  const rows = yield* sql.unsafe<Found>(`select ${columns.join(", ")}`, parameters.values)
  const found = rows[0]!

  const counted: Array<Candidate> = []
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
  if (tags.length > 0) {
    const rows = yield* sql.unsafe<{ uses: ReadonlyArray<number> }>(
      `select array[${tags
        .map((_, n) => bounded(`select 1 from video_tag vt where vt.tag_id = any($${n + 1}::int[])`, mostUses))
        .join(", ")}]::int[] as uses`,
      tags
    )
    const { uses } = rows[0]!
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
    few: fewest,
    fewOurs: query.isLocal === true && (found.local ?? 0) <= manyOurs
  } satisfies ListFacts as ListFacts
})
