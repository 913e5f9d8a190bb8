import { InvalidOAuthRequest } from "@kinora/domain/errors/AuthErrors"
import { Effect, Option, Result } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { IncomingMessage } from "node:http"

const bearer = /^bearer +([^\s,]+) *$/i
const inQuery = /[?&]access_token(?:=|&|$)/

const malformed = (reason: string) => Result.fail(new InvalidOAuthRequest({ reason }))

/**
 * The access token of a request (RFC 6750, 2.1). None: no token was sent. Refused as the specification says
 * ("Authentication", 7): another scheme, a token in the query string, a token sent twice.
 */
const bearerToken = (
  url: string,
  authorization: string | undefined
): Result.Result<Option.Option<string>, InvalidOAuthRequest> => {
  if (inQuery.test(url)) return malformed("The access token must be sent in the Authorization header")
  if (authorization === undefined) return Result.succeed(Option.none())
  const token = bearer.exec(authorization)?.[1]
  return token === undefined
    ? malformed("Malformed Authorization header: Bearer and one token are expected")
    : Result.succeed(Option.some(token))
}

/** Whether a request has several Authorization headers. node:http shows only the first. */
const authorizedTwice = (request: HttpServerRequest): boolean => {
  const { rawHeaders = [] } = request.source as Partial<IncomingMessage>
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length === 13 && name.toLowerCase() === "authorization") count += 1
  }
  return count > 1
}

/** The same for the request at hand. */
export const tokenOfRequest = (
  request: HttpServerRequest
): Result.Result<Option.Option<string>, InvalidOAuthRequest> => {
  const authorization = request.headers["authorization"]
  return authorization !== undefined && authorizedTwice(request)
    ? malformed("Only one Authorization header may be sent")
    : bearerToken(request.url, authorization)
}

const carriesToken = (contentType: string, body: string): boolean => {
  if (!body.includes("access_token")) return false
  if (contentType.includes("urlencoded")) return new URLSearchParams(body).has("access_token")
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === "object" && value !== null && Object.hasOwn(value, "access_token")
  } catch {
    return false
  }
}

/**
 * Refuses a token in the body in addition to the one in the header (RFC 6750, 2.2). The request keeps the text of a
 * body that was read completely, so later readers get it, or its read error, without reading bytes again.
 */
export const refuseTokenInBody = (request: HttpServerRequest): Effect.Effect<void, InvalidOAuthRequest> => {
  const contentType = request.headers["content-type"]
  if (contentType === undefined || request.method === "GET" || !/json|urlencoded/i.test(contentType)) return Effect.void
  return Effect.flatMap(
    Effect.orElseSucceed(request.text, () => ""),
    (body) =>
      carriesToken(contentType.toLowerCase(), body)
        ? Effect.fail(new InvalidOAuthRequest({ reason: "The access token may be sent once, in the header" }))
        : Effect.void
  )
}
