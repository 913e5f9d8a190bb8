import { InvalidOAuthRequest } from "@kinora/domain/errors/AuthErrors"
import { Option, Result } from "effect"

const bearer = /^bearer +([^\s,]+) *$/i
const inQuery = /[?&]access_token(?:=|&|$)/

/**
 * The access token of a request (RFC 6750, 2.1). None: no token was sent. Refused as the specification has it
 * ("Authentication", 7): another scheme, a token in the query string, a token sent twice.
 */
export const bearerToken = (
  url: string,
  authorization: string | undefined
): Result.Result<Option.Option<string>, InvalidOAuthRequest> => {
  if (inQuery.test(url)) {
    return Result.fail(new InvalidOAuthRequest({ reason: "The access token must be sent in the Authorization header" }))
  }
  if (authorization === undefined) return Result.succeed(Option.none())
  const token = bearer.exec(authorization)?.[1]
  return token === undefined
    ? Result.fail(
        new InvalidOAuthRequest({ reason: "Malformed Authorization header: Bearer and one token are expected" })
      )
    : Result.succeed(Option.some(token))
}
