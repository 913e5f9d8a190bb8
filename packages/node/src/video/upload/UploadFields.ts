import { invalidParamsOf } from "@kinora/domain/errors/InvalidParams"
import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import {
  checkTogether,
  decodeResumableUpload,
  decodeVideoUpload,
  type ResumableUpload,
  type VideoUpload
} from "@kinora/domain/requests/VideoUpload"
import type { InvalidParam } from "@kinora/domain/wire/ProblemDocument"
import { Effect, type Schema } from "effect"

const fail = (refused: Record<string, InvalidParam>) => Effect.fail(new InvalidParameters({ invalidParams: refused }))

/** Reads the fields of a multipart upload; every failing one is named. */
export const readVideoUpload = Effect.fnUntraced(function* (
  input: unknown
): Effect.fn.Return<VideoUpload, InvalidParameters> {
  const fields = yield* Effect.catch(decodeVideoUpload(input), (error) =>
    fail(invalidParamsOf(error.issue, "body", input))
  )
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
  const { announced, fields } = yield* readAnnounced(input, headers, decodeResumableUpload)
  const together = checkTogether(fields)
  return together === undefined ? { fields, announced } : yield* together
})

/** Reads what announces a resumable upload of any purpose; every failing field of body and headers is named in one answer. */
export const readAnnounced = Effect.fnUntraced(function* <A>(
  input: unknown,
  headers: { readonly [name: string]: string | undefined },
  decode: (input: unknown) => Effect.Effect<A, Schema.SchemaError>
): Effect.fn.Return<{ readonly fields: A; readonly announced: Announced }, InvalidParameters> {
  const decoded = yield* Effect.result(decode(input))
  const refused = decoded._tag === "Failure" ? invalidParamsOf(decoded.failure.issue, "body", input) : {}
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
  return { fields: decoded.success, announced: { size, contentType: contentType! } }
})
