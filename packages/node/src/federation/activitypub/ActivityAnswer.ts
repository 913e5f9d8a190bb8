import { FederationDisabled } from "@kinora/domain/errors/InboxErrors"
import type { ProblemError } from "@kinora/domain/errors/ProblemError"
import { RouteNotFound } from "@kinora/domain/errors/RequestErrors"
import { type ContextType, withContext } from "@kinora/federation/contexts/Contexts"
import type { ObjectFound } from "@kinora/storage/federation/activitypub/ObjectFound"
import { Effect, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { answer } from "../../platform/http/Answer.ts"

const contentType = "application/activity+json; charset=utf-8"
const cors = { "access-control-allow-origin": "*" }

/** An object, whose JSON text has no `@context`, as other servers read it. */
export const activityResponse = (context: ContextType, text: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(withContext(context, text), { contentType, headers: cors })

/** Where the object is: each is served by the instance it belongs to (contract: activitypub.json `http.remoteObject`). */
export const elsewhereResponse = (url: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.redirect(url, { status: 302, headers: cors })

/** What was found, as `encode` makes it of its row, else the failure. `undefined` of `encode`: others may not read it. */
export const foundResponse = <A, E extends ProblemError>(
  context: ContextType,
  found: Option.Option<ObjectFound<A>>,
  { absent, encode }: { readonly absent: () => E; readonly encode: (row: A) => object | undefined }
): Effect.Effect<HttpServerResponse.HttpServerResponse, E> =>
  foundText(context, found, {
    absent,
    text: (row) => {
      const document = encode(row)
      return Effect.succeed(document === undefined ? Option.none() : Option.some(JSON.stringify(document)))
    }
  })

/** As `foundResponse`, of what is JSON text already. */
export const foundText = Effect.fnUntraced(function* <A, E extends ProblemError, E2 = never>(
  context: ContextType,
  found: Option.Option<ObjectFound<A>>,
  { absent, text }: { readonly absent: () => E; readonly text: (row: A) => Effect.Effect<Option.Option<string>, E2> }
): Effect.fn.Return<HttpServerResponse.HttpServerResponse, E | E2> {
  if (Option.isNone(found)) return yield* Effect.fail(absent())
  const { elsewhere, row } = found.value
  const made = row === null ? Option.none<string>() : yield* text(row)
  if (Option.isSome(made)) return activityResponse(context, made.value)
  return elsewhere === null ? yield* Effect.fail(absent()) : elsewhereResponse(elsewhere)
})

/** Lets a request through when the instance federates. */
export const whenFederating = Effect.map(KinoraConfig, ({ federation }) => {
  const disabled = Effect.fail(new FederationDisabled())
  return <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | FederationDisabled, R> =>
    federation.enabled ? effect : disabled
})

/** The answer of a route that has nothing but activities to give. */
export const activityAnswer = <E extends ProblemError, R>(
  effect: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> =>
  Effect.map(answer(effect), HttpServerResponse.setHeaders(cors))

/** A row id in a path; the failure when it is none. */
export const rowId = (text: string | undefined): Effect.Effect<number, RouteNotFound> => {
  const id = text !== undefined && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : Number.NaN
  return id <= 2_147_483_647 ? Effect.succeed(id) : Effect.fail(new RouteNotFound())
}

/** What stands behind the question mark of an address. */
export const queryOf = (url: string): URLSearchParams => {
  const mark = url.indexOf("?")
  return new URLSearchParams(mark === -1 ? "" : url.slice(mark + 1))
}
