import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import { VideoFileNotFound } from "@kinora/domain/errors/VideoErrors"
import type { DownloadableFile } from "@kinora/storage/video/download/DownloadRows"
import { Effect } from "effect"

/** How the files that a client chose are delivered: a single file as it is, two files muxed. */
export type ChosenFiles =
  | { readonly _tag: "One"; readonly file: DownloadableFile }
  | { readonly _tag: "Two"; readonly video: DownloadableFile; readonly audio: DownloadableFile }

const refused = (message: string) => InvalidParameters.one("videoFileIds", message, "query")

/**
 * Chooses among the files of a video (specification, "Static files and download", row 5: at most one video stream and
 * one audio stream). Duplicate ids count once. A file that the video does not have is not found.
 */
export const chooseFiles = Effect.fnUntraced(function* (
  files: ReadonlyArray<DownloadableFile>,
  ids: ReadonlyArray<number>
): Effect.fn.Return<ChosenFiles, InvalidParameters | VideoFileNotFound> {
  const chosen: Array<DownloadableFile> = []
  for (const id of new Set(ids)) {
    const file = files.find((one) => one.id === id)
    if (file === undefined) return yield* new VideoFileNotFound()
    chosen.push(file)
  }
  if (chosen.filter((file) => file.hasVideo).length > 1) return yield* refused("Cannot have more than one video stream")
  if (chosen.filter((file) => file.hasAudio).length > 1) return yield* refused("Cannot have more than one audio stream")
  const [first, second] = chosen
  if (first === undefined) return yield* refused("Should have at least one video file id")
  if (second === undefined) return { _tag: "One", file: first }
  const [video, audio] = first.hasVideo ? [first, second] : [second, first]
  if (!video.hasVideo || !audio.hasAudio) return yield* refused("Should name files that have a stream")
  return { _tag: "Two", video, audio }
})
