import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ListSource } from "@kinora/storage/people/list/SubscriptionWork"
import { SubscribedWords } from "@kinora/storage/people/words/SubscribedWords"
import { Context, Effect, Layer } from "effect"
import { ListUnusable, PublishedLists } from "../list/PublishedLists.ts"
import { publishedWords } from "./PublishedWords.ts"

/** Fetches the words of a subscription and replaces those it had. Answers the entity tag to ask with the next time. */
export class WordFetch extends Context.Service<
  WordFetch,
  {
    readonly run: (
      subscription: { readonly id: number },
      source: ListSource
    ) => Effect.Effect<string | undefined, ListUnusable | DatabaseUnavailable>
  }
>()("@kinora/node/people/words/WordFetch") {
  static readonly layer = Layer.effect(
    WordFetch,
    Effect.gen(function* () {
      const lists = yield* PublishedLists
      const words = yield* SubscribedWords

      const run = Effect.fn("WordFetch.run")(function* ({ id }: { readonly id: number }, { etag, url }: ListSource) {
        const found = yield* lists.fetch(url, etag)
        if (found === "unchanged") return etag
        const published = publishedWords(found.document, new URL(url).host)
        if (typeof published === "string") return yield* new ListUnusable({ message: published })
        yield* words
          .replace(id, published)
          .pipe(
            Effect.catchTag("TooManyWords", ({ max, what }) =>
              Effect.fail(
                new ListUnusable({ message: `With it, there would be more than ${max} ${what} to watch for` })
              )
            )
          )
        return found.etag
      })

      return WordFetch.of({ run })
    })
  )
}
