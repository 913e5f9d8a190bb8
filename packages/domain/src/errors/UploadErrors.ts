import { Schema } from "effect"
import { Problem } from "./ProblemError.ts"

/** The file is larger than the instance takes. */
export class MaxFileSizeReached extends Problem<MaxFileSizeReached>()("MaxFileSizeReached", {
  status: 413,
  code: "max_file_size_reached",
  detail: ({ maxBytes }) => `The file is larger than this instance takes (${maxBytes} bytes)`,
  headers: ({ maxBytes }) => ({ "x-file-maximum-size": String(maxBytes) }),
  fields: { maxBytes: Schema.Number }
}) {}

/** The user's quota, or that of the last 24 hours, does not have room for the file. */
export class QuotaReached extends Problem<QuotaReached>()("QuotaReached", {
  status: 413,
  code: "quota_reached",
  detail: ({ daily }) =>
    daily === true
      ? "The video does not fit into what may be uploaded within 24 hours"
      : "The video does not fit into the quota",
  fields: { daily: Schema.optionalKey(Schema.Boolean) }
}) {}

/** Neither the name nor the media type is one the instance takes. */
export class UnsupportedMediaFile extends Problem<UnsupportedMediaFile>()("UnsupportedMediaFile", {
  status: 415,
  detail: ({ extensions }) => `Files of this kind are not taken. Taken are: ${extensions.join(", ")}`,
  fields: { extensions: Schema.Array(Schema.String) }
}) {}

/** The bytes are not a video or audio file that can be read. */
export class UnreadableMedia extends Problem<UnreadableMedia>()("UnreadableMedia", {
  status: 422,
  detail: ({ reason }) => `The file cannot be read as video or audio: ${reason}`,
  fields: { reason: Schema.String }
}) {}

/** No such resumable upload, or one that has expired. */
export class UploadNotFound extends Problem<UploadNotFound>()("UploadNotFound", {
  status: 404,
  detail: "Upload not found"
}) {}

/** The resumable upload is of somebody else. */
export class UploadForbidden extends Problem<UploadForbidden>()("UploadForbidden", {
  status: 403,
  detail: "This upload does not belong to you"
}) {}

/** A chunk from another offset than the next, of another total, or while another chunk is being written. */
export class UploadConflict extends Problem<UploadConflict>()("UploadConflict", {
  status: 409,
  detail: ({ reason }) => reason,
  headers: ({ received }): Record<string, string> =>
    received === undefined || received === 0 ? {} : { range: `bytes=0-${received - 1}` },
  fields: { reason: Schema.String, received: Schema.optionalKey(Schema.Number) }
}) {}

/** The finished file is being checked; the client asks again. */
export class UploadBeingFinished extends Problem<UploadBeingFinished>()("UploadBeingFinished", {
  status: 503,
  detail: "The upload is being finished, try again",
  headers: () => ({ "retry-after": "5" })
}) {}

/** The chunk is longer than its Content-Range says, or its length contradicts the range. */
export class ChunkRefused extends Problem<ChunkRefused>()("ChunkRefused", {
  status: 409,
  detail: ({ reason }) => reason,
  fields: { reason: Schema.String }
}) {}
