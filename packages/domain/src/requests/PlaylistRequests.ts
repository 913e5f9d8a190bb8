import { Schema } from "effect"
import { constraints } from "../enums/Constraints.ts"
import { type PlaylistPrivacy, playlistPrivacies } from "../enums/PlaylistPrivacy.ts"
import { maxId } from "../ids/Ids.ts"
import { videoReader } from "../ids/VideoIdOrUuid.ts"
import { field, optional, type Reader } from "../fields/Field.ts"
import { idOf, integer, nullable, text } from "../fields/Readers.ts"
import { rowId } from "./UserFields.ts"
import { toBoundedText } from "../fields/Values.ts"

const { description, displayName } = constraints.playlist

/** Control characters, and those that turn the direction of what follows. */
const unfit = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

const name: Reader<string> = {
  message: `Must be a name of ${displayName.min} to ${displayName.max} characters`,
  documented: { type: "string", minLength: displayName.min, maxLength: displayName.max },
  parse: (input) => {
    if (typeof input !== "string") return undefined
    const given = toBoundedText(input.trim().normalize("NFC"), displayName.min, displayName.max)
    return given === undefined || unfit.test(given) ? undefined : given
  }
}

/** Readers of a playlist's fields; null and empty text mean none. */
export const playlistFields = {
  displayName: name,
  privacy: idOf(playlistPrivacies, "Must be 1 (public), 2 (unlisted) or 3 (private)"),
  description: nullable(
    text({ ...description, message: `Must be a description of ${description.min} to ${description.max} characters` })
  ),
  videoChannelId: nullable(rowId("a channel"))
} as const

/** A playlist to be made, without its picture (contract: VideoPlaylistCreate). */
export const PlaylistCreate = Schema.Struct({
  displayName: field(playlistFields.displayName),
  privacy: optional<PlaylistPrivacy>(playlistFields.privacy),
  description: optional(playlistFields.description),
  videoChannelId: optional(playlistFields.videoChannelId)
})
export type PlaylistCreate = typeof PlaylistCreate.Type

/** What of a playlist changes; null takes away (contract: VideoPlaylistUpdate). */
export const PlaylistUpdate = Schema.Struct({
  displayName: optional(playlistFields.displayName),
  privacy: optional<PlaylistPrivacy>(playlistFields.privacy),
  description: optional(playlistFields.description),
  videoChannelId: optional(playlistFields.videoChannelId)
})
export type PlaylistUpdate = typeof PlaylistUpdate.Type

export const decodePlaylistCreate = Schema.decodeUnknownEffect(PlaylistCreate, { errors: "all" })
export const decodePlaylistUpdate = Schema.decodeUnknownEffect(PlaylistUpdate, { errors: "all" })

const place = (min: number) => integer({ min, max: maxId, message: `Must be a position, ${min} or more` })

/** Takes `reorderLength` (1) neighbours from `startPosition` on and puts them behind a place; 0 is before the first. */
export const PlaylistReorder = Schema.Struct({
  startPosition: field(place(1)),
  insertAfterPosition: field(place(0)),
  reorderLength: optional(integer({ min: 1, max: maxId, message: "Must be a number of elements, 1 or more" }))
})
export type PlaylistReorder = typeof PlaylistReorder.Type

const seconds = nullable(integer({ min: 0, max: maxId, message: "Must be whole seconds, 0 or more" }))

/** A video to be put at the end of a playlist (contract: VideoPlaylistElementCreate). */
export const PlaylistElementCreate = Schema.Struct({
  videoId: field(videoReader),
  startTimestamp: optional(seconds),
  stopTimestamp: optional(seconds)
})
export type PlaylistElementCreate = typeof PlaylistElementCreate.Type

/** Where playing an element begins and ends; null takes away (contract: VideoPlaylistElementUpdate). */
export const PlaylistElementUpdate = Schema.Struct({
  startTimestamp: optional(seconds),
  stopTimestamp: optional(seconds)
})
export type PlaylistElementUpdate = typeof PlaylistElementUpdate.Type
