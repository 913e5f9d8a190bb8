import type { ProblemError } from "@kinora/domain/errors/ProblemError"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { answer } from "../platform/http/Answer.ts"
import { wantsActivity } from "@kinora/federation/negotiation/Accept"
import { embedMessagePage } from "./EmbedPage.ts"
import type { Html } from "../platform/html/Html.ts"
import type { Surroundings } from "./Layout.ts"
import { messagePage } from "./PlainPages.ts"
import { type PagePolicy, pageHeaders } from "./Policy.ts"

/** A page as a response. */
export const pageResponse = (
  { instance }: Surroundings,
  page: Html,
  options: PagePolicy & { readonly status?: number; readonly headers?: Record<string, string> } = {}
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(page.markup, {
    status: options.status ?? 200,
    contentType: "text/html; charset=utf-8",
    headers: { ...pageHeaders(instance, options), ...options.headers }
  })

/** The text that people see for an error. */
export const words = (error: ProblemError): readonly [title: string, text: string] =>
  error.status === 404
    ? ["Not found", "There is nothing here, or it is not public."]
    : error.status === 503
      ? ["Back in a moment", "The instance is busy right now. Please try again in a moment."]
      : ["This did not work", error.detail]

/** Turns typed errors into pages with their status. Anything else is a bare 500. */
export const pageAnswer = <E extends ProblemError, R>(
  surroundings: Surroundings,
  effect: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  options: { readonly framed?: boolean } = {}
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> =>
  answer(
    Effect.catch(effect, (error: ProblemError) => {
      const [title, text] = words(error)
      const page =
        options.framed === true ? embedMessagePage(surroundings, title, text) : messagePage(surroundings, title, text)
      return Effect.succeed(
        pageResponse(surroundings, page, { ...options, status: error.status, headers: error.headers ?? {} })
      )
    })
  )

/** The page, or the responder's answer if the client asks for an ActivityPub object. */
export const negotiated = <R, R2>(
  activity: (url: string) => Effect.Effect<HttpServerResponse.HttpServerResponse, ProblemError, R>,
  page: Effect.Effect<HttpServerResponse.HttpServerResponse, never, R2>
) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const response = wantsActivity(request.headers["accept"])
      ? HttpServerResponse.setHeader(yield* answer(activity(request.url)), "access-control-allow-origin", "*")
      : yield* page
    return HttpServerResponse.setHeader(response, "vary", "Accept")
  })
