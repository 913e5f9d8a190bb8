import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { pageLanguage } from "./language/PageLanguage.ts"
import { requestedLanguage } from "./language/RequestLanguage.ts"
import type { Site, Surroundings } from "./Layout.ts"

/** What a page is drawn with: the language that the request asks for. */
export const surroundingsOf = (site: Site): Effect.Effect<Surroundings, never, HttpServerRequest.HttpServerRequest> =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => ({
    ...site,
    language: pageLanguage(
      requestedLanguage(headers["cookie"], headers["accept-language"], site.instance.about.language)
    ),
    wayBack: "referer"
  }))
