import type { VideoDetails, VideoFile } from "../api/Wire.ts"
import { type Failure, failure, t } from "./Messages.ts"
import { type Quality, qualityLabel } from "./Source.ts"

/** What the browser can do. */
export interface Abilities {
  readonly mediaSource: boolean
  readonly nativeHls: boolean
}

export interface HlsMedia {
  readonly kind: "hls"
  readonly url: string
  /** Segments that only the whole of hls.js reads: those of lives may be MPEG-TS. */
  readonly whole: boolean
  /** For lives: `small` catches up with the edge, as the maker wants the delay small. */
  readonly live?: "steady" | "small"
  /** The playlist of the sound alone, where there is one. */
  readonly audioUrl: string | undefined
  /** Renditions with a picture, highest first; an id is the place in this list. */
  readonly qualities: ReadonlyArray<Quality>
}

export type Media =
  | HlsMedia
  | { readonly kind: "native"; readonly url: string }
  | { readonly kind: "files"; readonly files: ReadonlyArray<VideoFile> }

export type Availability =
  | { readonly kind: "media"; readonly ways: ReadonlyArray<Media> }
  | { readonly kind: "waiting"; readonly text: string }
  | { readonly kind: "failed"; readonly failure: Failure }

const byHeight = (a: VideoFile, b: VideoFile) => b.resolution.id - a.resolution.id

/** The playlist of the rendition without a picture. */
const audioPlaylist = (files: ReadonlyArray<VideoFile>): string | undefined => {
  const sound = files.find((it) => it.hasAudio && !it.hasVideo)
  return sound !== undefined && "playlistUrl" in sound && typeof sound.playlistUrl === "string"
    ? sound.playlistUrl
    : undefined
}

/** Files with a picture as what can be chosen. */
const qualitiesOf = (files: ReadonlyArray<VideoFile>): ReadonlyArray<Quality> =>
  files
    .filter((it) => it.hasVideo)
    .sort(byHeight)
    .map((it, id) => ({ id, height: it.resolution.id, label: qualityLabel(it.resolution.id, it.fps) }))

export const published = 1

/** Why there is nothing to play yet, by the state of the video. */
const waits: Readonly<Record<number, "importing" | "live" | "editing">> = { 3: "importing", 4: "live", 9: "editing" }

/** Why there never will be. */
const failed: Readonly<Record<number, "liveOver" | "notConverted" | "notImported">> = {
  5: "liveOver",
  7: "notConverted",
  12: "notImported"
}

/**
 * An address of the instance as a path: the page may have been reached by another name than the instance's public one
 * (an address on the local network, say), and its policy allows only where it came from.
 */
export const localPath = (address: string, origin: string | undefined): string =>
  origin !== undefined && address.startsWith(`${origin}/`) ? address.slice(origin.length) : address

const hlsOf = (url: string, files: ReadonlyArray<VideoFile>, isLive: boolean, origin: string | undefined): HlsMedia => {
  const sound = audioPlaylist(files)
  return {
    kind: "hls",
    url,
    whole: isLive,
    ...(isLive ? { live: "steady" as const } : {}),
    audioUrl: sound === undefined ? undefined : localPath(sound, origin),
    qualities: qualitiesOf(files)
  }
}

/** The ways this browser can play the video, best first, or why there are none (states: contract/enums.json VideoState). */
export const availability = (video: VideoDetails, abilities: Abilities, origin?: string): Availability => {
  // What a live left behind plays nothing, and what it will play is not there yet.
  const isOn = !video.isLive || video.state.id === published
  const playlist = isOn ? video.streamingPlaylists[0] : undefined
  const files = video.files
    .filter((it) => it.hasVideo)
    .sort(byHeight)
    .map((it) => ({ ...it, fileUrl: localPath(it.fileUrl, origin) }))
  const ways: Array<Media> = []
  if (playlist !== undefined) {
    const url = localPath(playlist.playlistUrl, origin)
    if (abilities.mediaSource) ways.push(hlsOf(url, playlist.files, video.isLive, origin))
    else if (abilities.nativeHls) ways.push({ kind: "native", url })
  }
  if (files.length > 0) ways.push({ kind: "files", files })
  if (ways.length > 0) return { kind: "media", ways }
  const why = failed[video.state.id]
  if (why !== undefined) return { kind: "failed", failure: failure(why) }
  if (playlist !== undefined) return { kind: "failed", failure: failure("unplayable") }
  return { kind: "waiting", text: t(waits[video.state.id] ?? "preparing") }
}

/** The same ways with their addresses changed. */
export const withAddresses = (ways: ReadonlyArray<Media>, change: (address: string) => string): ReadonlyArray<Media> =>
  ways.map((way) =>
    way.kind === "files"
      ? { ...way, files: way.files.map((file) => ({ ...file, fileUrl: change(file.fileUrl) })) }
      : way.kind === "hls"
        ? { ...way, url: change(way.url), audioUrl: way.audioUrl === undefined ? undefined : change(way.audioUrl) }
        : { ...way, url: change(way.url) }
  )

/** The same ways, with those of one kind first. */
export const preferring = (ways: ReadonlyArray<Media>, kind: "hls" | "files" | undefined): ReadonlyArray<Media> =>
  kind === undefined ? ways : [...ways.filter((it) => it.kind === kind), ...ways.filter((it) => it.kind !== kind)]

export const browserAbilities = (): Abilities => ({
  mediaSource: "MediaSource" in window || "ManagedMediaSource" in window,
  nativeHls: document.createElement("video").canPlayType("application/vnd.apple.mpegurl") !== ""
})
