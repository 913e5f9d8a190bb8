import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { SubscribedBlocks } from "@kinora/storage/people/block/SubscribedBlocks"
import type { ListSource } from "@kinora/storage/people/list/SubscriptionWork"
import type { ListedBlock } from "@kinora/storage/people/block/SubscribedBlockRows"
import { Array as Arrays, Context, Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { ListUnusable, PublishedLists } from "../list/PublishedLists.ts"
import { publishedBlocks } from "./PublishedBlocks.ts"

/** Blocks that are written in one transaction. */
const batch = 1_000
/** Actions of a full page (contract: public-log). */
const fullPage = 500
/** Pages of one round; the next one goes on. */
const mostPages = 100
const beginning = "1970-01-01T00:00:00.000Z"

/**
 * Fetches the block list of a subscription, from where the last time ended, and applies it. Answers the entity tag to ask with the
 * next time.
 */
export class BlockFetch extends Context.Service<
  BlockFetch,
  {
    readonly run: (
      subscription: { readonly id: number },
      source: ListSource
    ) => Effect.Effect<string | undefined, ListUnusable | DatabaseUnavailable>
  }
>()("@kinora/node/people/block/BlockFetch") {
  static readonly layer = Layer.effect(
    BlockFetch,
    Effect.gen(function* () {
      const ownHost = new URL((yield* KinoraConfig).derived.origin).host
      const lists = yield* PublishedLists
      const subscribed = yield* SubscribedBlocks

      const page = Effect.fnUntraced(function* (url: string, startDate: string, etag: string | undefined) {
        const address = new URL(url)
        address.searchParams.set("startDate", startDate)
        const found = yield* lists.fetch(address.href, etag)
        if (found === "unchanged") return found
        const published = publishedBlocks(found.document, ownHost)
        if (published === undefined) return yield* new ListUnusable({ message: "It is no list of blocks" })
        return { ...published, etag: found.etag }
      })

      const apply = Effect.fnUntraced(function* (id: number, blocks: ReadonlyArray<ListedBlock>) {
        for (const some of Arrays.chunksOf(blocks, batch)) {
          const there = yield* subscribed
            .apply(id, some)
            .pipe(
              Effect.catchTag("TooManyEntries", ({ max }) =>
                Effect.fail(new ListUnusable({ message: `It blocks more than ${max} hosts and accounts` }))
              )
            )
          if (!there) return false
        }
        return true
      })

      const pages = Effect.fnUntraced(function* (id: number, { etag, url }: ListSource) {
        let since = (yield* subscribed.cursor(id)) ?? beginning
        for (let n = 0; n < mostPages; n++) {
          // Only the first page: a server may give all pages of a log the same entity tag.
          const read = yield* page(url, since, n === 0 ? etag : undefined)
          if (read === "unchanged") return etag
          const { actions, blocks, name, until = since } = read
          if (!(yield* apply(id, blocks))) return undefined
          yield* subscribed.reached(id, name ?? new URL(url).host, until)
          // A file that says everything each time answers the same again.
          if (actions < fullPage || until <= since) return read.etag
          since = until
        }
        return undefined
      })

      const run = Effect.fn("BlockFetch.run")(({ id }: { readonly id: number }, source: ListSource) =>
        Effect.tap(pages(id, source), () => subscribed.catchUp(id))
      )

      return BlockFetch.of({ run })
    })
  )
}
