import type { OpenApi } from "effect/http-api"
import type { DocumentedAnswer, Problems } from "./Documentation.ts"

type Header = OpenApi.OpenAPISpecHeader
type Response = OpenApi.OpenApiSpecResponse

const header = (description: string, type = "integer"): Header => ({ description, required: false, schema: { type } })

/** Headers every answer below `/api/` carries (specification "Limits"). */
export const rateLimitHeaders: Readonly<Record<string, Header>> = {
  "X-RateLimit-Limit": header("Requests allowed in the period"),
  "X-RateLimit-Remaining": header("Requests left in the period"),
  "X-RateLimit-Reset": header("End of the period, seconds since 1970")
}

const retryAfter = { "Retry-After": header("Seconds to wait") }

/** Headers an answer may carry beside those every answer has. */
const headerDescriptions: Readonly<Record<string, string>> = {
  "Accept-Ranges": "`bytes`",
  "Cache-Control": "How long the answer may be kept, and by whom",
  "Content-Range": "Which bytes of the file these are",
  ETag: "Changes when the content does",
  Location: "Address to go on with",
  Range: "Bytes that have arrived"
}

const titles: Readonly<Record<number, string>> = {
  400: "The request is refused as it is",
  401: "A login is needed, or the token is not accepted",
  403: "Not allowed",
  404: "Not found, or not to be known of",
  408: "The request did not arrive in time",
  409: "In conflict with the state of things",
  413: "Too large",
  415: "A media type that is not taken",
  416: "No asked range lies within the file",
  422: "Understood, and cannot be processed",
  429: "Too many requests",
  501: "Not done by this instance",
  503: "Not available at the moment",
  507: "No room on the instance's disk"
}

const problemResponse = (status: number, codes: ReadonlyArray<string>): Response => ({
  description: `${titles[status] ?? "Error"}${codes.length === 0 ? "" : `: ${codes.join(", ")}`}`,
  ...(status === 429 || status === 503 ? { headers: retryAfter } : {}),
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } }
})

/**
 * Problem responses of an endpoint: its own, those of authentication, and those any route can answer with.
 *
 * @param own documented at the endpoint
 * @param auth whether a login is needed or taken
 */
export const problemResponses = (
  own: Problems,
  auth: "required" | "optional" | undefined
): OpenApi.OpenAPISpecResponses => {
  const all: Record<number, ReadonlyArray<string>> = { 429: [], 503: [], ...own }
  if (auth !== undefined) {
    all[400] = [...(all[400] ?? []), "invalid_request"]
    all[401] = [...(all[401] ?? []), ...(auth === "required" ? ["unauthorized_request"] : []), "invalid_token"]
  }
  return Object.fromEntries(
    Object.entries(all).map(([status, codes]) => [status, problemResponse(Number(status), [...new Set(codes)])])
  )
}

/** The response of an answer that is no problem document. */
export const answerResponse = ({ content, description, headers, schema }: DocumentedAnswer): Response => ({
  description,
  ...(content === undefined
    ? {}
    : { content: { [content]: { schema: schema ?? { type: "string", format: "binary" } } } }),
  ...(headers === undefined
    ? {}
    : {
        headers: Object.fromEntries(headers.map((name) => [name, header(headerDescriptions[name] ?? name, "string")]))
      })
})
