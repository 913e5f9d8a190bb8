import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import { parseVideoIdOrUuid, type VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import { videoFileIds } from "@kinora/domain/requests/VideoFileIds"
import type { InvalidParam } from "@kinora/domain/wire/ProblemDocument"
import { Effect } from "effect"

/** A file as named in its download URL. */
export interface FileAddress {
  readonly id: VideoIdOrUuid
  readonly resolution: number
  readonly extension: string
}

const webVideo = /^(.{1,36})-(\d{1,5})(\.[a-z0-9]{2,5})$/
const hls = /^(.{1,36})-(\d{1,5})-fragmented(\.[a-z0-9]{2,5})$/

/** Parses `{id}-{resolution}.{extension}`, for HLS with `-fragmented` before the dot. Undefined for anything else. */
export const readFileAddress = (kind: "web-video" | "hls", name: string): FileAddress | undefined => {
  const parts = (kind === "hls" ? hls : webVideo).exec(name)
  const id = parts === null ? undefined : parseVideoIdOrUuid(parts[1]!)
  return parts === null || id === undefined ? undefined : { id, resolution: Number(parts[2]), extension: parts[3]! }
}

const message = "Must be the id, the UUID or the short UUID of a video"

/** Decodes path and query of a generated download. One error names all invalid fields. */
export const readGenerated = Effect.fnUntraced(function* (
  name: string,
  url: string
): Effect.fn.Return<{ readonly id: VideoIdOrUuid; readonly fileIds: ReadonlyArray<number> }, InvalidParameters> {
  const query = new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?") + 1) : "")
  const given = [...query.getAll("videoFileIds"), ...query.getAll("videoFileIds[]")]
  const id = parseVideoIdOrUuid(name.replace(/\.(?:mp4|m4a)$/i, ""))
  const fileIds = given.length === 0 ? undefined : videoFileIds.parse(given)
  if (id !== undefined && fileIds !== undefined) return { id, fileIds }
  const invalidParams: Record<string, InvalidParam> = {}
  if (id === undefined) {
    invalidParams["id"] = { type: "field", msg: message, param: "id", path: "id", location: "params", value: name }
  }
  if (fileIds === undefined) {
    const msg = videoFileIds.message
    invalidParams["videoFileIds"] = {
      type: "field",
      msg,
      param: "videoFileIds",
      path: "videoFileIds",
      location: "query"
    }
  }
  return yield* new InvalidParameters({ invalidParams })
})
