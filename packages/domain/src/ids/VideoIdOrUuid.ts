import { field, type Reader } from "../fields/Field.ts"
import { maxId, type VideoId } from "./Ids.ts"
import { fromShortUuid } from "./ShortUuid.ts"
import { parseUuid, type VideoUuid } from "./VideoUuid.ts"

/** How a client names a video in a path: its row id, or its UUID (given in full or in the short form). */
export type VideoIdOrUuid =
  | { readonly _tag: "Id"; readonly id: VideoId }
  | { readonly _tag: "Uuid"; readonly uuid: VideoUuid }

/** Reads `42`, a UUID or a short UUID; undefined for anything else. */
export const parseVideoIdOrUuid = (text: string): VideoIdOrUuid | undefined => {
  if (/^[1-9]\d{0,9}$/.test(text)) {
    const id = Number(text)
    return id <= maxId ? { _tag: "Id", id: id as VideoId } : undefined
  }
  const uuid = text.length === 36 ? parseUuid(text) : fromShortUuid(text)
  return uuid === undefined ? undefined : { _tag: "Uuid", uuid }
}

/** Reads the name of a video (contract: "integer|string(uuid)|string"); JSON may give the row id as a number. */
export const videoReader: Reader<VideoIdOrUuid> = {
  message: "Must be the id, the UUID or the short UUID of a video",
  documented: {
    anyOf: [{ type: "integer", minimum: 1 }, { type: "string", format: "uuid" }, { type: "string" }],
    description: "The object id, uuid or short uuid"
  },
  parse: (input) =>
    typeof input === "string" || typeof input === "number" ? parseVideoIdOrUuid(String(input)) : undefined
}

/** Path parameter naming a video. */
export const VideoIdOrUuid = field(videoReader)
