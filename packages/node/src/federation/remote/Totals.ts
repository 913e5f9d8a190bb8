import { sameOrigin } from "@kinora/federation/authority/Authority"
import { readCollection } from "@kinora/federation/objects/Collection"
import { Effect } from "effect"
import { ObjectRefused } from "./RemoteErrors.ts"
import type { RemoteObjects } from "./RemoteObjects.ts"

const maxBytes = 512 * 1024

/** Reads an object that says something about things of its own origin: an address may lead on to another. */
export const ofItsOrigin = (objects: RemoteObjects["Service"]) =>
  Effect.fnUntraced(function* (url: string, types: ReadonlyArray<string>) {
    const object = yield* objects.fetch(url, { types, maxBytes })
    if (sameOrigin(object.id, url)) return object
    return yield* new ObjectRefused({ url, why: "authority", detail: "leads to another origin" })
  })

/** How many items a collection has; null where it has no address, cannot be had or does not say. */
export const totalOf = (objects: RemoteObjects["Service"]) => {
  const read = ofItsOrigin(objects)
  return (url: string | null) =>
    url === null
      ? Effect.succeed(null)
      : Effect.map(
          read(url, ["Collection", "OrderedCollection"]),
          (object) => readCollection(object, url).totalItems
        ).pipe(Effect.orElseSucceed(() => null))
}
