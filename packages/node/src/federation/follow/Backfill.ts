import { sameOrigin } from "@kinora/federation/authority/Authority"
import { collectionTypes, readCollection } from "@kinora/federation/objects/Collection"
import { isObject, type Json } from "@kinora/federation/vocabulary/Json"
import { addressOf, identifierOf } from "@kinora/federation/vocabulary/Reading"
import { FollowTargets } from "@kinora/storage/federation/follow/FollowTargets"
import { Context, Effect, Layer, Option } from "effect"
import type { RemoteFailure } from "../remote/RemoteErrors.ts"
import { RemoteObjects } from "../remote/RemoteObjects.ts"
import { RemoteVideos } from "../remote/RemoteVideos.ts"
import { type BackfillPayload, FollowJobs } from "./FollowJobs.ts"

/** Pages that are read of one actor, and entries that are looked at of one page: more of it is heard when it happens. */
const maxPages = 100
const maxItems = 50
/** Of these, how many may be of other instances: whoever is followed could have us ask a third one for anything. */
const maxElsewhere = 4

/** The video an entry of an outbox is about, when it is about one: what was published, or shared. */
const videoOf = (item: Json): string | null => {
  if (!isObject(item) || (item["type"] !== "Create" && item["type"] !== "Announce")) return null
  const object = item["object"] ?? null
  if (isObject(object) && object["type"] !== undefined && object["type"] !== "Video") return null
  return addressOf(identifierOf(object))
}

export interface BackfilledPage {
  /** Videos that are kept now, entries that came to nothing, and those whose hosts did not answer. */
  readonly videos: number
  readonly refused: number
  readonly unanswered: number
}

/** What somebody published before anybody here followed them, page by page, the newest first. */
export class Backfill extends Context.Service<
  Backfill,
  {
    /**
     * Reads one page and has the next one read by a job. Nobody who is not followed any more is asked. With `patient`, an
     * entry whose host does not answer fails the page, which can be read again.
     */
    readonly page: (wanted: BackfillPayload, patient: boolean) => Effect.Effect<BackfilledPage, RemoteFailure>
  }
>()("@kinora/node/follows/Backfill") {
  static readonly layer = Layer.effect(
    Backfill,
    Effect.gen(function* () {
      const objects = yield* RemoteObjects
      const videos = yield* RemoteVideos
      const targets = yield* FollowTargets
      const jobs = yield* FollowJobs

      const keep = (url: string, patient: boolean): Effect.Effect<keyof BackfilledPage, RemoteFailure> =>
        videos.byUrl(url).pipe(
          Effect.as("videos" as const),
          Effect.catchTags({
            ObjectRefused: ({ message }) =>
              Effect.as(Effect.logDebug(`Not taken over: ${message}`), "refused" as const),
            ObjectUnavailable: (error) => (patient ? Effect.fail(error) : Effect.succeed("unanswered" as const))
          })
        )

      /** The page at an address; a collection without pages is one, and one that carries its first page has that read. */
      const read = Effect.fnUntraced(function* (url: string) {
        const object = yield* objects.fetch(url, { types: collectionTypes })
        const first = object["first"]
        return readCollection(isObject(first) && first["next"] !== undefined ? first : object, url)
      })

      const page = Effect.fn("Backfill.page")(function* (
        { actorId, next, page: number }: BackfillPayload,
        patient: boolean
      ) {
        const counts = { videos: 0, refused: 0, unanswered: 0 }
        const target: Option.Option<{ readonly outboxUrl: string }> = yield* targets.followed(actorId)
        if (Option.isNone(target)) return counts
        const { outboxUrl } = target.value
        if (next !== null && !sameOrigin(next, outboxUrl)) return counts
        const part = yield* read(next ?? outboxUrl)
        const named = [...new Set(part.items.slice(0, maxItems).flatMap((item) => videoOf(item) ?? []))]
        const own = named.filter((url) => sameOrigin(url, outboxUrl))
        const wanted = [...own, ...named.filter((url) => !own.includes(url)).slice(0, maxElsewhere)]
        for (const url of wanted) counts[yield* keep(url, patient)] += 1
        // An outbox itself has no entries, and names its first page.
        if (part.next !== null && part.next !== next && number < maxPages && (next === null || part.items.length > 0)) {
          yield* jobs.backfill(actorId, { next: part.next, page: number + 1 })
        }
        return counts
      })

      return Backfill.of({ page })
    })
  )
}
