import { Result } from "effect"
import { originOf, sameOrigin } from "../authority/Authority.ts"
import { isObject, type JsonObject } from "../vocabulary/Json.ts"
import type { MalformedDocument } from "../vocabulary/Normalise.ts"
import { audienceOf, malformed, markdownOf, type PictureLink, picturesOf } from "./ObjectShape.ts"
import { addressOf, identifierOf, identifiersOf, integerOf, textOf, timeOf } from "../vocabulary/Reading.ts"

/** A playlist of another instance, without its elements. */
export interface PlaylistObject {
  readonly id: string
  readonly uuid: string | null
  readonly name: string
  readonly description: string | null
  readonly privacy: "public" | "unlisted"
  /** The channel or account it is attributed to; of its origin, never empty. */
  readonly owners: ReadonlyArray<string>
  readonly picture: PictureLink | null
  readonly published: string | null
  readonly updated: string | null
}

export interface PlaylistElementObject {
  readonly id: string
  /** The video. */
  readonly url: string
  readonly position: number
  /** Seconds. */
  readonly start: number | null
  readonly stop: number | null
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Reads a Playlist. Whoever it is attributed to must be of its origin (corpus AP-04). */
export const decodePlaylist = (object: JsonObject): Result.Result<PlaylistObject, MalformedDocument> => {
  const id = identifierOf(object)
  if (id === null || originOf(id) === null) return malformed("a playlist without id")
  if (object["type"] !== "Playlist") return malformed("no playlist")
  const name = textOf(object["name"], 120)
  if (name === null) return malformed("a playlist without name")
  const owners = [...new Set(identifiersOf(object["attributedTo"]))]
  if (owners.length === 0 || owners.length > 10) return malformed("a playlist of nobody")
  if (!owners.every((it) => sameOrigin(it, id))) return malformed("a playlist of somebody of another origin")
  const uuid = textOf(object["uuid"], 36)?.toLowerCase() ?? ""
  return Result.succeed({
    id,
    uuid: uuidPattern.test(uuid) ? uuid : null,
    name,
    description: markdownOf(object, "content", 1_000, "guess"),
    privacy: audienceOf(object) === "public" ? "public" : "unlisted",
    owners,
    picture: picturesOf(object["icon"], 1)[0] ?? null,
    published: timeOf(object["published"]),
    updated: timeOf(object["updated"])
  })
}

/** Reads an element of the playlist at `playlistId`, of whose origin it must be. */
export const decodePlaylistElement = (
  object: JsonObject,
  playlistId: string
): Result.Result<PlaylistElementObject, MalformedDocument> => {
  const id = identifierOf(object)
  if (id === null || !isObject(object) || !sameOrigin(id, playlistId)) return malformed("an element of another origin")
  if (object["type"] !== "PlaylistElement") return malformed("no element")
  const url = addressOf(object["url"])
  const position = integerOf(object["position"], 1, 1_000_000)
  if (url === null || position === null) return malformed("an element without video or place")
  const seconds = (name: string) => integerOf(object[name], 0, 0x7f_ff_ff_ff)
  return Result.succeed({ id, url, position, start: seconds("startTimestamp"), stop: seconds("stopTimestamp") })
}
