import { languageCookie, languageFor, languageKept } from "@kinora/domain/i18n/Languages"
import { Effect } from "effect"
import { type Headers, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { languagePath } from "./LanguageChoice.ts"
import { PageInstance } from "./PageInstance.ts"

const longest = 2_000

/** The path to go back to, on this instance alone; the first page for anything else. */
const pathOf = (address: string | undefined, host: string): string => {
  const url = URL.parse(address === undefined || address.length > longest ? "" : address)
  // A path that begins with two slashes would name another host.
  const isOurs = url !== null && url.host === host && !url.pathname.startsWith("//") && url.pathname !== languagePath
  return isOurs ? `${url.pathname}${url.search}` : "/"
}

/** The page says where it is, or the browser does, who may know the instance by another name than the configured one. */
const wayBack = (next: unknown, { host, referer }: Headers.Headers, origin: string): string => {
  const own = new URL(origin)
  if (typeof next !== "string") return pathOf(referer, host ?? own.host)
  return next.startsWith("/") ? pathOf(URL.parse(next, own.href)?.href, own.host) : "/"
}

/** `GET /language`: keeps the language that somebody chose below a page, and leads back to it. */
export const LanguageRoute = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { origin } = yield* PageInstance
    const rules = `Path=/; SameSite=Lax${origin.startsWith("https:") ? "; Secure" : ""}`
    yield* router.add(
      "GET",
      languagePath,
      Effect.gen(function* () {
        const { language, next } = yield* HttpServerRequest.ParsedSearchParams
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const code = typeof language === "string" ? languageFor(language) : undefined
        return HttpServerResponse.redirect(wayBack(next, headers, origin), {
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
