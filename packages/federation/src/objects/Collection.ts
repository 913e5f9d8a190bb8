import { sameOrigin } from "../authority/Authority.ts"
import type { Json, JsonObject } from "../vocabulary/Json.ts"
import { addressOf, identifierOf, integerOf, listOf } from "../vocabulary/Reading.ts"

export const collectionTypes = ["Collection", "OrderedCollection", "CollectionPage", "OrderedCollectionPage"] as const

/** A collection or one of its pages. */
export interface CollectionPart {
  readonly totalItems: number | null
  readonly items: ReadonlyArray<Json>
  /** What to read next: the first page, or the one after this. Of the same origin, or null. */
  readonly next: string | null
}

/** Reads what of a collection is in one document found at `url`. */
export const readCollection = (object: JsonObject, url: string): CollectionPart => {
  const next = addressOf(identifierOf(object["next"]) ?? identifierOf(object["first"]))
  return {
    totalItems: integerOf(object["totalItems"], 0, Number.MAX_SAFE_INTEGER),
    items: [...listOf(object["orderedItems"]), ...listOf(object["items"])],
    next: next !== null && sameOrigin(next, url) ? next : null
  }
}
