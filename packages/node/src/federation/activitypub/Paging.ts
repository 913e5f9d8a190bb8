import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import type { InvalidParam } from "@kinora/domain/wire/ProblemDocument"
import type { Slice } from "@kinora/storage/federation/activitypub/ActorCollections"
import { Result } from "effect"

/** Items of a page that is asked for without a size (contract: activitypub.json `collections`). */
export const pageSize = 10
const largestPage = 50
const lastPage = 1_000_000

/** Which page, counted from 1; undefined: the collection itself. */
export interface Paging {
  readonly page: number | undefined
  readonly size: number
}

const whole = (text: string, most: number): number | undefined => {
  const value = /^\d{1,7}$/.test(text) ? Number(text) : 0
  return value >= 1 && value <= most ? value : undefined
}

/** Reads `page`, and `size` where pages may be larger. */
export const readPaging = (query: URLSearchParams, sized = false): Result.Result<Paging, InvalidParameters> => {
  const refused: Record<string, InvalidParam> = {}
  const read = (name: string, most: number): number | undefined => {
    const text = query.get(name)
    const value = text === null ? undefined : whole(text, most)
    if (text !== null && value === undefined) {
      const msg = `Must be a whole number from 1 to ${most}`
      refused[name] = { type: "field", msg, param: name, path: name, location: "query", value: text.slice(0, 100) }
    }
    return value
  }
  const paging = { page: read("page", lastPage), size: (sized ? read("size", largestPage) : undefined) ?? pageSize }
  return Object.keys(refused).length === 0
    ? Result.succeed(paging)
    : Result.fail(new InvalidParameters({ invalidParams: refused }))
}

/** The items of a page. The collection itself has none, only their number. */
export const sliceOf = ({ page, size }: Paging): Slice =>
  page === undefined ? { offset: 0, size: 0 } : { offset: (page - 1) * size, size }

/** A collection as it is found, with the JSON texts of the items of one page. */
interface PagedCollection {
  readonly url: string
  readonly total: number
  readonly items: ReadonlyArray<string>
}

/** A collection of addresses. */
export const addresses = (found: PagedCollection): PagedCollection => ({
  ...found,
  items: found.items.map((it) => JSON.stringify(it))
})

/** The JSON text of a collection or a page of it. */
export const collectionText = ({ items, total, url }: PagedCollection, { page, size }: Paging): string => {
  const address = (of: number): string => `${url}?page=${of}${size === pageSize ? "" : `&size=${size}`}`
  const shared = { totalItems: total }
  if (page === undefined) {
    return JSON.stringify({
      id: url,
      type: "OrderedCollection",
      ...shared,
      ...(total > 0 ? { first: address(1) } : {})
    })
  }
  const frame = JSON.stringify({
    id: address(page),
    type: "OrderedCollectionPage",
    ...(page > 1 ? { prev: address(page - 1) } : {}),
    ...(page * size < total ? { next: address(page + 1) } : {}),
    partOf: url,
    ...shared
  })
  return `${frame.slice(0, -1)},"orderedItems":[${items.join(",")}]}`
}
