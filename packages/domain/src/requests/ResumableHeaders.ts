import { field } from "../fields/Field.ts"
import { integer, text } from "../fields/Readers.ts"

const byteLength = { min: 0, max: Number.MAX_SAFE_INTEGER }
const contentLength = field(
  integer({ ...byteLength, message: "Must be a valid Content-Length header", documented: { maximum: undefined } })
)

/** Names a resumable upload in the query. */
export const uploadId = field(text({ min: 1, max: 200, message: "Must be a valid upload_id" }))

/** Headers that announce a resumable upload. */
export const announcingHeaders = {
  "X-Upload-Content-Length": field(
    integer({ ...byteLength, message: "Must be a valid X-Upload-Content-Length header", documented: {} })
  ),
  "X-Upload-Content-Type": field(text({ min: 1, max: 200, message: "Must be a valid X-Upload-Content-Type header" }))
}

/** Headers of a chunk. */
export const chunkHeaders = {
  "Content-Range": field(
    text({
      min: 1,
      max: 100,
      message: "Must be a valid Content-Range header",
      documented: { description: "`bytes <start>-<end>/<total>`, or `bytes */<total>` to ask what has arrived" }
    })
  ),
  "Content-Length": contentLength
}

export const cancellingHeaders = { "Content-Length": contentLength }
