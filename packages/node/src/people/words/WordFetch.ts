import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { SubscribedWords } from "@kinora/storage/people/words/SubscribedWords"
import { Context, Effect, Layer } from "effect"
import { ListUnusable, PublishedLists } from "../list/PublishedLists.ts"
import { publishedWords } from "./PublishedWords.ts"

/** Fetches the words of a subscription and replaces those it had. */
export class WordFetch extends Context.Service<
  WordFetch,
  {
    readonly run: (
      subscription: { readonly id: number },
      url: string
    ) => Effect.Effect<void, ListUnusable | DatabaseUnavailable>
  }
>()("@kinora/node/people/words/WordFetch") {
  static readonly layer = Layer.effect(
    WordFetch,
    Effect.gen(function* () {
      const lists = yield* PublishedLists
      const words = yield* SubscribedWords

      const run = Effect.fn("WordFetch.run")(function* ({ id }: { readonly id: number }, url: string) {
        const published = publishedWords(yield* lists.fetch(url), new URL(url).host)
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
      })

      return WordFetch.of({ run })
    })
  )
}
