import { PlaylistElementType } from "@kinora/domain/enums/PlaylistType"
import type { VideoPlaylistElement, VideoPlaylistElementList } from "@kinora/domain/wire/VideoPlaylist"
import type { PageLanguage } from "./language/PageLanguage.ts"

/** Positions per page of a playlist. */
export const placesOnPage = 100

/** The validated `playlistPosition` of a URL, counted from 1. Undefined if there is none. */
export const positionOf = (text: unknown): number | undefined =>
  typeof text === "string" && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined

/** The first position of the page that contains this position, counted from 0. */
export const pageStart = (position: number): number => Math.floor((position - 1) / placesOnPage) * placesOnPage

const isPlayable = ({ type }: VideoPlaylistElement): boolean => type === PlaylistElementType.regular

/** The position to play: the requested one, or the first playable one, or the first. */
export const placeOf = (
  { data }: VideoPlaylistElementList,
  asked: number | undefined
): VideoPlaylistElement | undefined =>
  asked === undefined ? (data.find(isPlayable) ?? data[0]) : data.find(({ position }) => position === asked)

/** What comes after a position: the next playable one, or the first of the next page, or nothing. */
export const nextPosition = ({ data, total }: VideoPlaylistElementList, position: number): number | undefined => {
  const next = data.find((it) => it.position > position && isPlayable(it))
  if (next !== undefined) return next.position
  const last = data.at(-1)?.position ?? total
  return last < total ? last + 1 : undefined
}

/** What comes before it. */
export const previousPosition = ({ data }: VideoPlaylistElementList, position: number): number | undefined => {
  const previous = data.findLast((it) => it.position < position && isPlayable(it))
  if (previous !== undefined) return previous.position
  const first = data[0]?.position ?? 1
  return first > 1 ? first - 1 : undefined
}

const notThere: Readonly<Record<number, "placeDeleted" | "placePrivate">> = {
  [PlaylistElementType.deleted]: "placeDeleted",
  [PlaylistElementType.private]: "placePrivate"
}

/** The title of the element at a position. */
export const placeTitle = (language: PageLanguage, { type, video }: VideoPlaylistElement): string =>
  video?.name ?? language.text("watch")(notThere[type] ?? "placeUnavailable")
