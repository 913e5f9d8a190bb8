import type { ProblemError } from "@kinora/domain/errors/ProblemError"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { answer } from "../platform/http/Answer.ts"
import { wantsActivity } from "@kinora/federation/negotiation/Accept"
import { embedMessagePage } from "./EmbedPage.ts"
import type { Html } from "../platform/html/Html.ts"
import type { PageLanguage } from "./language/PageLanguage.ts"
import type { Site, Surroundings } from "./Layout.ts"
import { surroundingsOf } from "./PageSurroundings.ts"
import { messagePage } from "./PlainPages.ts"
import { type PagePolicy, pageHeaders } from "./Policy.ts"

/** What a page depends on besides its address: see `RequestLanguage.ts`. */
const varies = "Accept-Language, Cookie"

/** A page as a response. */
export const pageResponse = (
  { instance, language }: Surroundings,
  page: Html,
  options: PagePolicy & { readonly status?: number; readonly headers?: Record<string, string> } = {}
): HttpServerResponse.HttpServerResponse => {
  const { vary, ...headers } = options.headers ?? {}
  return HttpServerResponse.text(page.markup, {
    status: options.status ?? 200,
    contentType: "text/html; charset=utf-8",
    headers: {
      ...pageHeaders(instance, options),
      "content-language": language.code,
      vary: vary === undefined ? varies : `${vary}, ${varies}`,
      ...headers
    }
  })
}

/** The text that people see for an error. */
export const words = (language: PageLanguage, error: ProblemError): readonly [title: string, text: string] => {
  const t = language.text("common")
  switch (error.status) {
    case 404:
      return [t("notFound"), t("notFoundText")]
    case 503:
      return [t("busy"), t("busyText")]
    case 403:
      if (error._tag === "EmbedNotAllowed") return [t("failed"), t("embedRefused")]
      return [t("failed"), t("failedText", { status: error.status })]
    default:
      return [t("failed"), t("failedText", { status: error.status })]
  }
}

/** Draws a page in the language of the request. Typed errors become pages with their status, anything else is a bare 500. */
export const pageAnswer = <E extends ProblemError, R>(
  site: Site,
  page: (surroundings: Surroundings) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  options: { readonly framed?: boolean } = {}
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R | HttpServerRequest.HttpServerRequest> =>
  answer(
    Effect.flatMap(surroundingsOf(site), (surroundings) =>
      Effect.catch(page(surroundings), (error: ProblemError) => {
        const [title, text] = words(surroundings.language, error)
        const shown =
          options.framed === true ? embedMessagePage(surroundings, title, text) : messagePage(surroundings, title, text)
        return Effect.succeed(
          pageResponse(surroundings, shown, { ...options, status: error.status, headers: error.headers ?? {} })
        )
      })
    )
  )

/** A page that is made of nothing but its surroundings. */
export const plainAnswer = (
  site: Site,
  page: (surroundings: Surroundings) => Html,
  options: Parameters<typeof pageResponse>[2] = {}
) => Effect.map(surroundingsOf(site), (surroundings) => pageResponse(surroundings, page(surroundings), options))

/** The page, or the responder's answer if the client asks for an ActivityPub object. */
export const negotiated = <R, R2>(
  activity: (url: string) => Effect.Effect<HttpServerResponse.HttpServerResponse, ProblemError, R>,
  page: Effect.Effect<HttpServerResponse.HttpServerResponse, never, R2>
) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    if (wantsActivity(request.headers["accept"])) {
      const response = yield* answer(activity(request.url))
      return response.pipe(
        HttpServerResponse.setHeader("access-control-allow-origin", "*"),
        HttpServerResponse.setHeader("vary", "Accept")
      )
    }
    const response = yield* page
    const { vary } = response.headers
    return HttpServerResponse.setHeader(response, "vary", vary === undefined ? "Accept" : `Accept, ${vary}`)
  })
