import { Effect, FileSystem, Path, Stream } from "effect"
import { writeHls } from "../hls/Hls.ts"
import type { CodecKind } from "../process/AllowList.ts"
import { ffmpegArguments, type FfmpegInput, type FfmpegOutput } from "../process/FfmpegCommand.ts"
import { FfmpegProcess } from "../process/FfmpegProcess.ts"
import type { ServedContainer } from "../playable/PlaysAsItIs.ts"
import { MediaSettings } from "../settings/MediaSettings.ts"
import type { Encoded, EncodedRendition } from "./Encoded.ts"
import type { FileNames } from "./FileNames.ts"

/** A stream in a file, as ffmpeg's `-map` names it within its input. */
export interface Track {
  readonly path: string
  readonly stream: string
}

export interface PackagedRendition {
  readonly resolution: number
  readonly width: number
  readonly height: number
  readonly fps: number
  /** As ffprobe names it. */
  readonly codec?: string | undefined
  readonly video: Track | undefined
}

export interface PackageOptions {
  readonly kind: CodecKind
  readonly renditions: ReadonlyArray<PackagedRendition>
  readonly audio: Track | undefined
  /** Absolute path of the upload that all streams come from: its metadata is kept if the settings say so. */
  readonly source?: string | undefined
  readonly directory: string
  readonly names: FileNames
  readonly hls: boolean
  readonly webVideo: boolean
  /** The container of web videos; absent: mp4. */
  readonly webContainer?: ServedContainer | undefined
  readonly splitAudio: boolean
  readonly duration: number
  /** Every file is cut at this many seconds, for streams that run over. */
  readonly until?: number | undefined
  /** Whether it runs in the background, with low priority. */
  readonly background: boolean
}

/**
 * Fragments begin at keyframes. Composition times may be negative, so that the first frame is at 0 without an edit
 * list, which browsers ignore.
 */
const fragmented = [
  ...["-movflags", "frag_keyframe+delay_moov+default_base_moof+negative_cts_offsets+skip_trailer"],
  ...["-video_track_timescale", "90000", "-f", "mp4"]
]
const fragmentedAudio = [
  ...["-movflags", "frag_keyframe+delay_moov+default_base_moof+skip_trailer", "-frag_duration", "4000000", "-f", "mp4"]
]
/** Options for a self-contained file. */
const alonePlaying: Readonly<Record<ServedContainer, ReadonlyArray<string>>> = {
  mp4: ["-movflags", "+faststart", "-f", "mp4"],
  webm: ["-f", "webm"],
  ogg: ["-f", "ogg"]
}
const extensions: Readonly<Record<ServedContainer, string>> = { mp4: ".mp4", webm: ".webm", ogg: ".ogv" }

/** The files of a rendition before their sizes are known. */
interface Planned {
  readonly rendition: PackagedRendition
  readonly fragmented: string | undefined
  readonly playlist: string | undefined
  readonly web: string | undefined
}

/** Apple plays HEVC in MP4 only with the tag hvc1. */
const tagged = ({ codec }: PackagedRendition): ReadonlyArray<string> => (codec === "hevc" ? ["-tag:v", "hvc1"] : [])

const copies = (options: PackageOptions, planned: ReadonlyArray<Planned>, described: string | undefined) => {
  const inputs: Array<FfmpegInput> = []
  const input = (path: string, kind: CodecKind): number => {
    const known = inputs.findIndex((one) => one.path === path)
    return known < 0 ? inputs.push({ path, kind }) - 1 : known
  }
  const map = (track: Track | undefined): ReadonlyArray<string> =>
    track === undefined ? [] : ["-map", `${input(track.path, options.kind)}:${track.stream}`]
  const words = described === undefined ? -1 : input(described, "upload")
  const copy = ["-c", "copy", "-map_metadata", String(words)]
  const end = options.until === undefined ? [] : ["-t", String(options.until)]
  // Chapters are a separate track, which segments must not have.
  const inSegments = [...copy, "-map_chapters", "-1"]
  const inAlone = [...copy, "-map_chapters", String(words)]
  // Otherwise only the dozen keys of iTunes would be written.
  const allKeys = described === undefined ? [] : ["-movflags", "+use_metadata_tags"]
  const webContainer = options.webContainer ?? "mp4"
  const keysAlone = webContainer === "mp4" ? allKeys : []
  const outputs = planned.flatMap(({ fragmented: hls, rendition, web }): ReadonlyArray<FfmpegOutput> => {
    const { video } = rendition
    const beside = options.splitAudio && video !== undefined ? undefined : options.audio
    const container = video === undefined ? fragmentedAudio : fragmented
    return [
      ...(hls === undefined
        ? []
        : [
            {
              path: hls,
              options: [
                ...map(video),
                ...map(beside),
                ...inSegments,
                ...tagged(rendition),
                ...end,
                ...container,
                ...allKeys
              ]
            }
          ]),
      ...(web === undefined
        ? []
        : [
            {
              path: web,
              options: [
                ...map(video),
                ...map(options.audio),
                ...inAlone,
                ...tagged(rendition),
                ...end,
                ...alonePlaying[webContainer],
                ...keysAlone
              ]
            }
          ])
    ]
  })
  return { inputs, outputs }
}

/** Packages encoded streams into the served files, by stream copy in one run, and writes the playlists. */
export const packageStreams = Effect.fn("packageStreams")(function* (options: PackageOptions) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const process = yield* FfmpegProcess
  const settings = yield* MediaSettings

  const place = (part: Parameters<FileNames>[0]) => path.join(options.directory, options.names(part))
  const extension = extensions[options.webContainer ?? "mp4"]
  const alone = (file: string) => file.replace(/\.mp4$/, extension)
  const needsShared = options.hls && options.splitAudio && options.audio !== undefined
  const hasAudioRendition = options.renditions.some((rendition) => rendition.video === undefined)
  const shared: PackagedRendition = { resolution: 0, width: 0, height: 0, fps: 0, video: undefined }
  const renditions = needsShared && !hasAudioRendition ? [...options.renditions, shared] : options.renditions
  const planned = renditions.map((rendition): Planned => {
    const { resolution } = rendition
    return {
      rendition,
      fragmented: options.hls ? place({ kind: "fragmented", resolution }) : undefined,
      playlist: options.hls ? place({ kind: "playlist", resolution }) : undefined,
      web: options.webVideo && rendition !== shared ? alone(place({ kind: "web", resolution })) : undefined
    }
  })

  const work = copies(options, planned, settings.metadata === "keep" ? options.source : undefined)
  if (work.outputs.length > 0) {
    const limits = { memory: settings.encodeMemory, fileSize: settings.fileSize, background: options.background }
    const args = ffmpegArguments(work)
    yield* Stream.runDrain(
      process.progress({ tool: "ffmpeg", args, timeout: settings.encodeTimeout, limits }, options.duration)
    )
  }

  const hlsSources = planned.flatMap(({ fragmented: file, playlist, rendition }) =>
    file === undefined || playlist === undefined
      ? []
      : [{ resolution: rendition.resolution, fps: rendition.fps, file, playlist }]
  )
  const master = place({ kind: "master" })
  const segments = place({ kind: "segments" })
  const written = yield* hlsSources.length > 0
    ? writeHls({ sources: hlsSources, master, segments, splitAudio: needsShared })
    : Effect.succeed(undefined)

  const sized = (file: string) => Effect.map(fs.stat(file), (info) => Number(info.size))
  const finished = yield* Effect.forEach(planned, ({ fragmented: file, playlist, rendition, web }) =>
    Effect.gen(function* () {
      const hls =
        file === undefined || playlist === undefined ? undefined : { file, playlist, size: yield* sized(file) }
      const alone = web === undefined ? undefined : { file: web, size: yield* sized(web) }
      const result: EncodedRendition = {
        resolution: rendition.resolution,
        width: rendition.width,
        height: rendition.height,
        fps: Math.round(rendition.fps),
        hasVideo: rendition.video !== undefined,
        hasAudio: options.audio !== undefined && (rendition.video === undefined || !needsShared),
        hls,
        web: alone
      }
      return result
    })
  )
  const encoded: Encoded = {
    duration: written?.duration ?? options.duration,
    renditions: finished,
    master: written === undefined ? undefined : master,
    segments: written === undefined ? undefined : segments,
    storyboard: undefined
  }
  return encoded
})
