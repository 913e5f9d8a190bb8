import { languageCookie, languageFor, languageKept } from "@kinora/domain/i18n/Languages"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { languagePath } from "./LanguageChoice.ts"
import { PageInstance } from "./PageInstance.ts"

const longest = 2_000

/** The path to go back to, on this instance alone; the first page for anything else. */
const wayBack = (next: unknown, origin: string): string => {
  if (typeof next !== "string" || next.length > longest || !next.startsWith("/")) return "/"
  const url = URL.parse(next, origin)
  return url === null || url.origin !== new URL(origin).origin || url.pathname === languagePath
    ? "/"
    : `${url.pathname}${url.search}`
}

/** `GET /language`: keeps the language that somebody chose below a page, and leads back to it. */
export const LanguageRoute = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { origin } = yield* PageInstance
    const rules = `Path=/; SameSite=Lax${origin.startsWith("https:") ? "; Secure" : ""}`
    yield* router.add(
      "GET",
      languagePath,
      Effect.map(HttpServerRequest.ParsedSearchParams, ({ language, next }) => {
        const code = typeof language === "string" ? languageFor(language) : undefined
        return HttpServerResponse.redirect(wayBack(next, origin), {
          status: 303,
          headers: {
            "cache-control": "no-store",
            ...(code === undefined
              ? {}
              : { "set-cookie": `${languageCookie}=${code}; Max-Age=${languageKept}; ${rules}` })
          }
        })
      })
    )
  })
)
