import { isObject, type Json, type JsonObject } from "../vocabulary/Json.ts"
import { addressOf, integerOf, listOf, numberOf, textOf } from "../vocabulary/Reading.ts"

/** A rendition somewhere else. */
export interface RemoteFile {
  readonly url: string
  /** With the point. */
  readonly extension: string
  /** Pixels of the shorter side, 0 for sound alone. */
  readonly resolution: number
  readonly width: number | null
  readonly height: number | null
  /** Bytes; 0 where nobody says. */
  readonly size: number
  /** Pictures a second, -1 where nobody says. */
  readonly fps: number
  readonly hasAudio: boolean
  readonly hasVideo: boolean
  readonly metadataUrl: string | null
  readonly torrentUrl: string | null
  readonly infoHash: string | null
}

/** A streaming playlist (HLS) somewhere else. */
export interface RemoteHls {
  readonly url: string
  readonly segmentsUrl: string | null
  readonly files: ReadonlyArray<RemoteFile>
}

const extensions: Readonly<Record<string, string>> = {
  "video/mp4": ".mp4",
  "video/webm": ".webm",
  "video/ogg": ".ogv",
  "audio/mp4": ".mp4",
  "audio/mpeg": ".mp3"
}

const hlsType = "application/x-mpegurl"
const torrentType = "application/x-bittorrent"
const maxLinks = 200
const maxFiles = 40
const infoHash = /xt=urn:btih:([0-9a-fA-F]{40})(?:&|$)/

const mediaTypeOf = (link: JsonObject): string => textOf(link["mediaType"], 100)?.toLowerCase() ?? ""

const links = (value: Json | undefined): ReadonlyArray<JsonObject> => listOf(value).slice(0, maxLinks).filter(isObject)

const rels = (link: JsonObject): ReadonlyArray<Json> => listOf(link["rel"])

const heightOf = (link: JsonObject): number => integerOf(link["height"], 0, 20_000) ?? 0

/** What is said of a rendition by links beside it, distinguished by height and rate. */
const sameRendition = (a: JsonObject, b: JsonObject): boolean =>
  heightOf(a) === heightOf(b) && (numberOf(a["fps"]) ?? -1) === (numberOf(b["fps"]) ?? -1)

const streamsOf = (link: JsonObject, type: string): { readonly hasAudio: boolean; readonly hasVideo: boolean } => {
  const kinds = links(link["attachment"])
    .filter((it) => it["name"] === "ffprobe_codec_type")
    .map((it) => it["value"])
  if (kinds.length > 0) return { hasAudio: kinds.includes("audio"), hasVideo: kinds.includes("video") }
  return { hasAudio: true, hasVideo: !type.startsWith("audio/") && heightOf(link) > 0 }
}

const fileOf = (link: JsonObject, beside: ReadonlyArray<JsonObject>): RemoteFile | null => {
  const type = mediaTypeOf(link)
  const extension = extensions[type]
  const url = addressOf(link["href"])
  if (extension === undefined || url === null) return null
  // Metadata and torrents of a rendition that carry the type of media themselves are no renditions.
  if (rels(link).includes("metadata")) return null
  const kin = beside.filter((it) => it !== link && sameRendition(it, link))
  const metadata = kin.find((it) => rels(it).includes("metadata"))
  const torrent = kin.find((it) => mediaTypeOf(it) === torrentType)
  const magnet = kin.find((it) => typeof it["href"] === "string" && it["href"].startsWith("magnet:"))
  const height = heightOf(link)
  const width = integerOf(link["width"], 1, 20_000)
  const fps = numberOf(link["fps"])
  return {
    url,
    extension,
    resolution: width === null || height === 0 ? height : Math.min(width, height),
    width,
    height: height === 0 ? null : height,
    size: integerOf(link["size"], 0, Number.MAX_SAFE_INTEGER) ?? 0,
    fps: fps !== null && fps >= 0 && fps <= 1_000 ? Math.round(fps * 1_000) / 1_000 : -1,
    ...streamsOf(link, type),
    metadataUrl: metadata === undefined ? null : addressOf(metadata["href"]),
    torrentUrl: torrent === undefined ? null : addressOf(torrent["href"]),
    infoHash: infoHash.exec(textOf(magnet?.["href"], 10_000) ?? "")?.[1]?.toLowerCase() ?? null
  }
}

const filesOf = (from: ReadonlyArray<JsonObject>): ReadonlyArray<RemoteFile> =>
  from.flatMap((link) => fileOf(link, from) ?? []).slice(0, maxFiles)

const hlsOf = (from: ReadonlyArray<JsonObject>): RemoteHls | null => {
  const master = from.find((it) => mediaTypeOf(it) === hlsType && addressOf(it["href"]) !== null)
  if (master === undefined) return null
  const parts = links(master["tag"])
  const segments = parts.find((it) => it["name"] === "sha256" && mediaTypeOf(it) === "application/json")
  return {
    url: addressOf(master["href"])!,
    segmentsUrl: segments === undefined ? null : addressOf(segments["href"]),
    files: filesOf(parts)
  }
}

/**
 * What a video is played from: the files and the playlist among its `url`s, or among its attachments where others write it
 * so (contract/activitypub.json: videoObject).
 */
export const readLinks = (
  object: JsonObject
): {
  readonly files: ReadonlyArray<RemoteFile>
  readonly hls: RemoteHls | null
  readonly trackers: ReadonlyArray<string>
} => {
  const from = links(object["url"])
  const files = filesOf(from)
  const attached = links(object["attachment"]).map((it): JsonObject => ({
    ...it,
    href: it["url"] ?? it["href"] ?? null
  }))
  const hls = hlsOf(from)
  const trackers = from
    .filter((it) => rels(it).includes("tracker"))
    .flatMap((it) => textOf(it["href"], 500) ?? [])
    .filter((it) => /^(?:https?|wss?):\/\/[^\s]+$/.test(it))
  return {
    files: files.length > 0 || hls !== null ? files : filesOf(attached),
    hls,
    trackers: [...new Set(trackers)].slice(0, 10)
  }
}
