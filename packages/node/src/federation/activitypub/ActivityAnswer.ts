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

/** What was found, else the failure. */
export const foundResponse = <E extends ProblemError>(
  context: ContextType,
  found: Option.Option<ObjectFound>,
  absent: () => E
): Effect.Effect<HttpServerResponse.HttpServerResponse, E> => {
  if (Option.isNone(found)) return Effect.fail(absent())
  const { elsewhere, text } = found.value
  if (text !== null) return Effect.succeed(activityResponse(context, text))
  return elsewhere === null ? Effect.fail(absent()) : Effect.succeed(elsewhereResponse(elsewhere))
}

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
