import { invalidParamsOf } from "@kinora/domain/errors/InvalidParams"
import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import { UpdateJob } from "@kinora/domain/requests/RunnerRequests"
import { Effect, Schema } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { readFields } from "../../platform/body/FieldsBody.ts"

/** Maximum bytes of an update: the job types that are given out send only a few fields. */
const maxBytes = 64 * 1024

const decodeUpdate = Schema.decodeUnknownEffect(UpdateJob, { errors: "all" })

const noFiles = (name: string) =>
  InvalidParameters.one(name.slice(0, 100), "Only jobs of live videos bring files while they run", "body")

/** Reads the body of an update. A body with files is refused at the first file. */
export const readUpdate = Effect.fn("RunnerForm.readUpdate")(function* (request: HttpServerRequest) {
  const input = yield* readFields<InvalidParameters>(request, {
    maxBytes,
    onFile: ({ name }) => Effect.fail(noFiles(name))
  })
  return yield* Effect.mapError(
    decodeUpdate(input),
    ({ issue }) => new InvalidParameters({ invalidParams: invalidParamsOf(issue, "body", input) })
  )
})
