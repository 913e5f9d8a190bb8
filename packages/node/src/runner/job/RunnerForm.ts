import { invalidParamsOf } from "@kinora/domain/errors/InvalidParams"
import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import { OfHeldJob, UpdateJob } from "@kinora/domain/requests/RunnerRequests"
import { Effect, Schema, type Scope } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { readFields } from "../../platform/body/FieldsBody.ts"
import type { FileSink } from "../../platform/body/MultipartBody.ts"

const mebibyte = 1024 ** 2

/** A segment of a live with its playlists. */
const maxBytes = 72 * mebibyte
/** Everything else is a few fields. */
const maxFieldBytes = 64 * 1024

const decodeUpdate = Schema.decodeUnknownEffect(UpdateJob, { errors: "all" })
const decodeTokens = Schema.decodeUnknownEffect(OfHeldJob, { errors: "all" })

/** A field of a form that is refused. */
export const refusedField = (name: string, words: string) => InvalidParameters.one(name.slice(0, 100), words, "body")

/** Who reports, by the fields that have arrived. */
const tokensOf = (fields: Readonly<Record<string, string>>) =>
  Effect.mapError(
    decodeTokens(fields),
    ({ issue }) => new InvalidParameters({ invalidParams: invalidParamsOf(issue, "body", fields) })
  )

/**
 * Reads the body of an update. Its tokens come before its files, so that files of others are not kept.
 */
export const readUpdate = Effect.fn("RunnerForm.readUpdate")(function* <E>(
  request: HttpServerRequest,
  onFile: (tokens: OfHeldJob, field: string) => Effect.Effect<FileSink<E>, E, Scope.Scope>
) {
  const fields: Record<string, string> = {}
  const input = yield* readFields<InvalidParameters | E>(request, {
    maxBytes,
    maxFieldBytes,
    onField: (name, value) => void (fields[name] = value),
    onFile: ({ name }) => Effect.flatMap(tokensOf(fields), (tokens) => onFile(tokens, name))
  })
  return yield* Effect.mapError(
    decodeUpdate(input),
    ({ issue }) => new InvalidParameters({ invalidParams: invalidParamsOf(issue, "body", input) })
  )
})
