import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import {
  checkTogether,
  decodeResumableUpload,
  decodeVideoUpload,
  type ResumableUpload,
  type VideoUpload
} from "@kinora/domain/requests/VideoUpload"
import type { InvalidParam } from "@kinora/domain/wire/ProblemDocument"
import { Effect, type Schema, SchemaIssue } from "effect"

const format = SchemaIssue.makeFormatterStandardSchemaV1()
const secret = /password/i

const refusals = (error: Schema.SchemaError, input: unknown): Record<string, InvalidParam> => {
  const refused: Record<string, InvalidParam> = {}
  for (const { message, path = [] } of format(error.issue).issues) {
    const key = path[0]
    const name = String(typeof key === "object" ? key.key : (key ?? "body"))
    const value = typeof input === "object" && input !== null ? (input as Record<string, unknown>)[name] : undefined
    refused[name] ??= {
      type: "field",
      ...(value === undefined || secret.test(name) ? {} : { value }),
      msg: message,
      param: name,
      path: name,
      location: "body"
    }
  }
  return refused
}

const fail = (refused: Record<string, InvalidParam>) => Effect.fail(new InvalidParameters({ invalidParams: refused }))

/** Reads the fields of a multipart upload; every failing one is named. */
export const readVideoUpload = Effect.fnUntraced(function* (
  input: unknown
): Effect.fn.Return<VideoUpload, InvalidParameters> {
  const fields = yield* Effect.catch(decodeVideoUpload(input), (error) => fail(refusals(error, input)))
  const together = checkTogether(fields)
  return together === undefined ? fields : yield* together
})

/** Size and media type that the headers of a resumable upload announce. */
export interface Announced {
  readonly size: number
  readonly contentType: string
}

const headerRefusal = (name: string, msg: string, value: string | undefined): InvalidParam => ({
  type: "field",
  ...(value === undefined ? {} : { value }),
  msg,
  param: name,
  path: name,
  location: "header"
})

/** Reads body and headers that create a resumable upload; every failing field of both is named in one answer. */
export const readResumableUpload = Effect.fnUntraced(function* (
  input: unknown,
  headers: { readonly [name: string]: string | undefined }
): Effect.fn.Return<{ readonly fields: ResumableUpload; readonly announced: Announced }, InvalidParameters> {
  const decoded = yield* Effect.result(decodeResumableUpload(input))
  const refused = decoded._tag === "Failure" ? refusals(decoded.failure, input) : {}
  const length = headers["x-upload-content-length"]
  const contentType = headers["x-upload-content-type"]
  const size = length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : 0
  if (size < 1) {
    refused["x-upload-content-length"] = headerRefusal(
      "x-upload-content-length",
      "Should have the number of bytes of the file in X-Upload-Content-Length",
      length
    )
  }
  if (contentType === undefined || contentType.length > 255) {
    refused["x-upload-content-type"] = headerRefusal(
      "x-upload-content-type",
      "Should have the media type of the file in X-Upload-Content-Type",
      contentType?.slice(0, 255)
    )
  }
  if (decoded._tag === "Failure" || Object.keys(refused).length > 0) return yield* fail(refused)
  const together = checkTogether(decoded.success)
  if (together !== undefined) return yield* together
  return { fields: decoded.success, announced: { size, contentType: contentType! } }
})
