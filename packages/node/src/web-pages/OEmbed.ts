import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import { parsePlaylistIdOrUuid, type PlaylistIdOrUuid } from "@kinora/domain/ids/PlaylistIdOrUuid"
import { parseVideoIdOrUuid, type VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import type { OEmbed } from "@kinora/domain/wire/Discovery"
import type { InvalidParam } from "@kinora/domain/wire/ProblemDocument"
import type { VideoDetails } from "@kinora/domain/wire/Video"
import type { VideoPlaylist } from "@kinora/domain/wire/VideoPlaylist"
import { Effect } from "effect"
import { cleanText } from "../platform/html/Escape.ts"
import { picture, videoAddresses } from "./Metadata.ts"
import type { PageInstance } from "./PageInstance.ts"
import { playlistAddresses } from "./PlaylistMetadata.ts"
import { embedCode } from "./WatchPage.ts"

type Query = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** The object of a URL; `start` is the requested position in seconds. */
type Named =
  | { readonly _tag: "Video"; readonly id: VideoIdOrUuid; readonly start: number | undefined }
  | { readonly _tag: "Playlist"; readonly id: PlaylistIdOrUuid }

export interface OEmbedRequest {
  readonly named: Named
  readonly maxWidth: number | undefined
  readonly maxHeight: number | undefined
  readonly format: "json" | "xml"
}

/** The object that a page or embed URL names, if it is one of ours (oEmbed 2.3: other hosts are refused). */
const namedBy = (address: unknown, origin: string): Named | undefined => {
  if (typeof address !== "string" || address.length > 2_000) return undefined
  const url = URL.parse(address)
  if (url === null || url.origin !== origin || url.username !== "" || url.password !== "") return undefined
  const list = /^\/(?:w\/p|videos\/watch\/playlist|video-playlists\/embed)\/([^/]+)\/?$/.exec(url.pathname)
  if (list !== null) {
    const id = parsePlaylistIdOrUuid(list[1]!)
    return id && { _tag: "Playlist", id }
  }
  const match = /^\/(?:w|videos\/watch|videos\/embed)\/([^/]+)\/?$/.exec(url.pathname)
  const id = match === null ? undefined : parseVideoIdOrUuid(match[1]!)
  if (id === undefined) return undefined
  const start = url.searchParams.get("start") ?? ""
  return { _tag: "Video", id, start: /^\d{1,6}s?$/.test(start) ? Number.parseInt(start, 10) : undefined }
}

const positive = (value: unknown): number | undefined =>
  typeof value === "string" && /^[1-9]\d{0,5}$/.test(value) ? Number(value) : undefined

const invalid = (name: string, msg: string, value: unknown): InvalidParam => ({
  type: "field",
  msg,
  param: name,
  path: name,
  location: "query",
  ...(value === undefined ? {} : { value })
})

/** Decodes the query. One error names all invalid fields. */
export const decodeOEmbed = (query: Query, origin: string): Effect.Effect<OEmbedRequest, InvalidParameters> => {
  const { format = "json", maxheight, maxwidth, url } = query
  const named = namedBy(url, origin)
  const invalidParams: Record<string, InvalidParam> = {}
  if (named === undefined) {
    invalidParams["url"] = invalid("url", "Should be the address of a video or a playlist of this instance", url)
  }
  for (const [name, value] of [
    ["maxwidth", maxwidth],
    ["maxheight", maxheight]
  ] as const) {
    if (value !== undefined && positive(value) === undefined) {
      invalidParams[name] = invalid(name, "Should be a positive number of pixels", value)
    }
  }
  if (format !== "json" && format !== "xml")
    invalidParams["format"] = invalid("format", "Should be json or xml", format)
  if (named === undefined || Object.keys(invalidParams).length > 0) {
    return Effect.fail(new InvalidParameters({ invalidParams }))
  }
  return Effect.succeed({
    named,
    maxWidth: positive(maxwidth),
    maxHeight: positive(maxheight),
    format: format as "json" | "xml"
  })
}

/** The largest box of the embed's aspect ratio (560 by 315) within the limits. */
const boxWithin = ({ maxHeight = 315, maxWidth = 560 }: OEmbedRequest): { width: number; height: number } => {
  const scale = Math.min(1, maxWidth / 560, maxHeight / 315)
  return { width: Math.max(1, Math.floor(560 * scale)), height: Math.max(1, Math.floor(315 * scale)) }
}

interface Embedded {
  readonly title: string
  readonly address: string
  readonly author: { readonly displayName: string; readonly url: string }
  readonly image: { readonly url: string; readonly width: number; readonly height: number } | undefined
}

const answerOf = (embedded: Embedded, request: OEmbedRequest, instance: PageInstance["Service"]): OEmbed => {
  const { address, author, image, title } = embedded
  const box = boxWithin(request)
  const fits =
    image !== undefined &&
    image.width <= (request.maxWidth ?? Number.POSITIVE_INFINITY) &&
    image.height <= (request.maxHeight ?? Number.POSITIVE_INFINITY)
  return {
    type: "video",
    version: "1.0",
    html: embedCode(title, address, box.width, box.height),
    ...box,
    title: cleanText(title),
    author_name: cleanText(author.displayName),
    author_url: author.url,
    provider_name: instance.name,
    provider_url: instance.origin,
    ...(fits ? { thumbnail_url: image.url, thumbnail_width: image.width, thumbnail_height: image.height } : {})
  }
}

/** The oEmbed answer (oembed.com 2.3.4, type video) for a video that may be shown. */
export const oembedOf = (
  video: VideoDetails,
  start: number | undefined,
  request: OEmbedRequest,
  instance: PageInstance["Service"]
): OEmbed => {
  const { embed } = videoAddresses(video, instance.origin)
  return answerOf(
    {
      title: video.name,
      address: start === undefined ? embed : `${embed}?start=${start}s`,
      author: video.account,
      // Sensitive thumbnails are not shown to people who only see a link.
      image: video.nsfw ? undefined : picture(video, instance.origin)
    },
    request,
    instance
  )
}

/** The same for a playlist that anonymous visitors may see. */
export const oembedOfPlaylist = (
  playlist: VideoPlaylist,
  request: OEmbedRequest,
  instance: PageInstance["Service"]
): OEmbed => {
  const image = playlist.thumbnails.toSorted((a, b) => b.width - a.width)[0]
  return answerOf(
    {
      title: playlist.displayName,
      address: playlistAddresses(playlist, instance.origin).embed,
      author: playlist.ownerAccount,
      image: image && { url: image.fileUrl, width: image.width, height: image.height }
    },
    request,
    instance
  )
}
