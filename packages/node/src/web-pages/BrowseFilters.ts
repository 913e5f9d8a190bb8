import { videoCategories } from "@kinora/domain/enums/VideoCategory"
import { videoLanguageLabels } from "@kinora/domain/enums/VideoLanguage"
import { constraints } from "@kinora/domain/enums/Constraints"
import type { PageVideosQuery } from "./PageVideos.ts"

type Query = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

export const browseOrders = ["-publishedAt", "-trending", "-hot", "-best", "-views", "-likes"] as const
export type BrowseOrder = (typeof browseOrders)[number]

/** Lengths one may ask for, in seconds from and to. */
const lengths = {
  short: { max: 4 * 60 },
  medium: { min: 4 * 60, max: 20 * 60 },
  long: { min: 20 * 60 }
} as const

/** How long ago a video may have been published, in milliseconds. */
const ages = {
  day: 86_400_000,
  week: 7 * 86_400_000,
  month: 30 * 86_400_000,
  year: 365 * 86_400_000
} as const

/** What the address of a list says: its order, and which videos it is about. Other clients name them the same. */
export interface BrowseFilters {
  readonly sort?: BrowseOrder | undefined
  /** Only videos of this instance. */
  readonly scope?: "local" | undefined
  readonly categoryOneOf?: string | undefined
  readonly languageOneOf?: string | undefined
  readonly tagsOneOf?: string | undefined
  readonly length?: keyof typeof lengths | undefined
  readonly since?: keyof typeof ages | undefined
}

const oneOf = <A extends string>(known: ReadonlyArray<A>, text: string | undefined): A | undefined =>
  known.find((it) => it === text)

const lengthNames = ["short", "medium", "long"] as const
const ageNames = ["day", "week", "month", "year"] as const

/** The filters of an address; what is unknown or wrong is left out, as nobody meant it. */
export const filtersOf = (query: Query): BrowseFilters => {
  const text = (name: string): string | undefined => {
    const value = query[name]
    return typeof value === "string" && value !== "" ? value : undefined
  }
  const tag = text("tagsOneOf")?.toWellFormed().trim()
  return {
    sort: oneOf(browseOrders, text("sort")),
    scope: oneOf(["local"], text("scope")),
    categoryOneOf: oneOf(videoCategories.map(String), text("categoryOneOf")),
    languageOneOf: oneOf(Object.keys(videoLanguageLabels), text("languageOneOf")),
    tagsOneOf: tag === "" || (tag?.length ?? 0) > constraints.video.tag.max ? undefined : tag,
    length: oneOf(lengthNames, text("length")),
    since: oneOf(ageNames, text("since"))
  }
}

/** The filters as parameters of an address, without those that are not set. */
export const filterPairs = (filters: BrowseFilters): ReadonlyArray<readonly [string, string]> =>
  Object.entries(filters).filter((it): it is [string, string] => it[1] !== undefined)

/** Parameters as an address has them. */
export const queryText = (pairs: ReadonlyArray<readonly [string, string]>): string =>
  new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString()

/** The address of a list with filters. */
export const filteredAddress = (path: string, filters: BrowseFilters): string => {
  const pairs = filterPairs(filters)
  if (pairs.length === 0) return path
  return `${path}${path.includes("?") ? "&" : "?"}${queryText(pairs)}`
}

/** How many filters are set besides the order. */
export const filterCount = ({ sort: _sort, ...filters }: BrowseFilters): number => filterPairs(filters).length

/** What the filters ask of the list. `now` in milliseconds since the epoch. */
export const narrowedBy = (filters: BrowseFilters, now: number): Omit<PageVideosQuery, "start" | "count" | "sort"> => {
  const { categoryOneOf, languageOneOf, length, scope, since, tagsOneOf } = filters
  const bounds: { readonly min?: number; readonly max?: number } = length === undefined ? {} : lengths[length]
  return {
    ...(scope === undefined ? {} : { isLocal: true }),
    ...(categoryOneOf === undefined ? {} : { categoryOneOf: [Number(categoryOneOf)] }),
    ...(languageOneOf === undefined ? {} : { languageOneOf: [languageOneOf] }),
    ...(tagsOneOf === undefined ? {} : { tagsOneOf: [tagsOneOf] }),
    ...(bounds.min === undefined ? {} : { durationMin: bounds.min }),
    ...(bounds.max === undefined ? {} : { durationMax: bounds.max }),
    // By the hour: lists that are asked for again and again are the same ones.
    ...(since === undefined
      ? {}
      : { startDate: new Date(Math.floor((now - ages[since]) / 3_600_000) * 3_600_000).toISOString() })
  }
}
