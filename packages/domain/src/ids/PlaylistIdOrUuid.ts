import { field } from "../fields/Field.ts"
import { parseVideoIdOrUuid } from "./VideoIdOrUuid.ts"

/** How a client names a playlist in a path: its row id, or its UUID (given in full or in the short form). */
export type PlaylistIdOrUuid =
  | { readonly _tag: "Id"; readonly id: number }
  | { readonly _tag: "Uuid"; readonly uuid: string }

/** Reads `42`, a UUID or a short UUID; undefined for anything else. */
export const parsePlaylistIdOrUuid = (text: string): PlaylistIdOrUuid | undefined => parseVideoIdOrUuid(text)

/** Path parameter naming a playlist. */
export const PlaylistIdOrUuid = field<PlaylistIdOrUuid>({
  message: "Must be the id, the UUID or the short UUID of a playlist",
  documented: {
    anyOf: [{ type: "integer", minimum: 1 }, { type: "string", format: "uuid" }, { type: "string" }],
    description: "Playlist id, uuid or short uuid"
  },
  parse: (input) => (typeof input === "string" ? parsePlaylistIdOrUuid(input) : undefined)
})
