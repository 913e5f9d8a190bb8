import { BadRequest } from "@kinora/domain/errors/RequestErrors"
import { jsonLimits, scanJson } from "@kinora/federation/fetch/JsonScan"
import { isObject, type JsonObject } from "@kinora/federation/vocabulary/Json"
import { normaliseResult } from "@kinora/federation/vocabulary/Normalise"
import { Result } from "effect"

/** Activities of one request (corpus AP-31). */
const maxActivities = 100

/** Activities of others are flat: the deepest of PeerTube's has 8 levels. */
const limits = { ...jsonLimits, maxDepth: 24 }

const collections: ReadonlySet<unknown> = new Set([
  "Collection",
  "CollectionPage",
  "OrderedCollection",
  "OrderedCollectionPage"
])

const text = new TextDecoder("utf-8", { fatal: true })

const bad = (reason: string) => Result.fail(new BadRequest({ reason }))

/** JSON, or undefined for what is none. */
const parsed = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(text.decode(body))
  } catch {
    return undefined
  }
}

/**
 * What a body says, in one spelling: one activity, or those of a collection. Bounded in depth, members and values before
 * anything is made of it (corpus AP-29, AP-31).
 */
export const readBody = (body: Uint8Array): Result.Result<ReadonlyArray<JsonObject>, BadRequest> => {
  const broken = scanJson(body, limits)
  if (broken !== undefined) return bad(broken === "depth" ? "The body is too deep" : "The body has too many values")
  const document = normaliseResult(parsed(body))
  if (Result.isFailure(document)) return bad(`The body is no activity: ${document.failure.why}`)
  const first = document.success
  if (!collections.has(first["type"])) return Result.succeed([first])
  const items = [first["orderedItems"], first["items"]].find(Array.isArray) ?? []
  if (items.length === 0) return bad("The collection is empty")
  if (items.length > maxActivities) return bad(`The collection has more than ${maxActivities} items`)
  const activities: Array<JsonObject> = []
  for (const item of items as ReadonlyArray<unknown>) {
    if (!isObject(item)) return bad("An item of the collection is no activity")
    activities.push(item)
  }
  return Result.succeed(activities)
}
