import { Probe } from "@kinora/media/probe/Probe"
import type { Encoded } from "@kinora/media/transcode/Encoded"
import type { PictureFile } from "@kinora/media/images/Pictures"
import type { StoryboardFile } from "@kinora/media/images/StoryboardPlan"
import type { JobLease, NewJob } from "@kinora/storage/platform/jobs/Job"
import type { RenditionKind } from "@kinora/storage/video/write/NewRenditions"
import type { SourceShape } from "@kinora/storage/video/write/SourceRows"
import { type Publication, VideoPublication } from "@kinora/storage/video/write/VideoPublication"
import { Context, Effect, Layer } from "effect"
import { type JobFailure, toolFailed } from "./Outcome.ts"
import { reached } from "./Steps.ts"
import { type StoredFiles, StoreFiles } from "./StoreFiles.ts"
import { VideoTorrents } from "./VideoTorrents.ts"

/** The result of an attempt: files on the local disk, and how to use them. */
export interface Finished {
  readonly encoded?: Encoded | undefined
  /** A storyboard that was made separately. */
  readonly storyboard?: StoryboardFile | undefined
  readonly thumbnails?: ReadonlyArray<PictureFile> | undefined
  /** The kind of renditions that `encoded` replaces. Absent: all of the video. */
  readonly only?: RenditionKind | undefined
  /** Present if these are the first renditions of a replaced source. */
  readonly shape?: SourceShape | undefined
  /** Whether the video becomes published. */
  readonly publish: boolean
  /** Whether the source is no longer needed. */
  readonly dropSource: boolean
  /** Follow-up jobs. */
  readonly next?: ReadonlyArray<NewJob> | undefined
  /** What happens to the job in the transaction that puts the files into use. Absent: it completes. */
  readonly end?: Publication["end"]
}

/** The video of the files, and the attempt that made them. */
export interface FinishedOf {
  readonly step: "publish" | "transcode" | "storyboard"
  readonly lease: JobLease
  /** Number of the attempt, from 1. */
  readonly attempt: number
  /**
   * Its state when the files were begun. If its privacy changed between public and private meanwhile, the result is
   * refused.
   */
  readonly video: { readonly id: number; readonly uuid: string; readonly name: string; readonly privacy: number }
}

/**
 * Puts finished files into use, wherever they were made: first torrents, then the object store, then one transaction
 * that also ends the job. A crash in between leaves the video unchanged, and no files permanently.
 */
export class FinishedFiles extends Context.Service<
  FinishedFiles,
  {
    /** Stores files that no transaction uses yet. */
    readonly store: (
      video: Pick<FinishedOf["video"], "uuid" | "name" | "privacy">,
      made: Pick<Finished, "encoded" | "storyboard" | "thumbnails">,
      step: FinishedOf["step"],
      attempt: number
    ) => Effect.Effect<StoredFiles, JobFailure>
    /** Returns whether this published the video. */
    readonly commit: (of: FinishedOf, finished: Finished) => Effect.Effect<boolean, JobFailure>
  }
>()("@kinora/node/processing/FinishedFiles") {
  static readonly layer = Layer.effect(
    FinishedFiles,
    Effect.gen(function* () {
      const files = yield* StoreFiles
      const torrents = yield* VideoTorrents
      const probe = yield* Probe
      const publication = yield* VideoPublication

      /** Clients read what files consist of (`metadataUrl`), and a broken file is found early. */
      const describe = Effect.fnUntraced(function* ({ renditions }: Encoded) {
        const paths = renditions.flatMap(({ hls, web }) => [hls, web].flatMap((made) => (made ? [made.file] : [])))
        const probed = yield* Effect.forEach(
          paths,
          (path) => Effect.map(probe.describe(path), (raw) => [path, raw] as const),
          { concurrency: 2 }
        )
        return new Map<string, unknown>(probed)
      })

      const store = Effect.fn("FinishedFiles.store")(function* (
        video: Pick<FinishedOf["video"], "uuid" | "name" | "privacy">,
        { encoded, storyboard, thumbnails }: Pick<Finished, "encoded" | "storyboard" | "thumbnails">,
        step: FinishedOf["step"],
        attempt: number
      ) {
        const probed = encoded === undefined ? Effect.undefined : describe(encoded)
        const seeds = encoded === undefined ? Effect.undefined : torrents.make(video, encoded)
        // One mostly waits for ffprobe, the other for the disk.
        const [metadata, seeded] = yield* Effect.mapError(
          Effect.all([probed, seeds], { concurrency: 2 }),
          toolFailed(attempt)
        )
        yield* reached(`${step}:made`)
        const stored = yield* files.store(video, {
          encoded,
          metadata,
          torrents: seeded,
          storyboard: storyboard ?? encoded?.storyboard,
          thumbnails
        })
        yield* reached(`${step}:stored`)
        return stored
      })

      const commit = Effect.fn("FinishedFiles.commit")(function* (of: FinishedOf, finished: Finished) {
        const stored = yield* store(of.video, finished, of.step, of.attempt)
        const published = yield* publication.commit({
          videoId: of.video.id,
          lease: of.lease,
          privacy: of.video.privacy,
          renditions: stored.renditions,
          only: finished.only,
          shape: finished.shape,
          thumbnails: stored.thumbnails,
          storyboard: stored.storyboard,
          publish: finished.publish,
          dropSource: finished.dropSource,
          next: finished.next,
          end: finished.end
        })
        yield* reached(`${of.step}:committed`)
        return published
      })

      return FinishedFiles.of({ store, commit })
    })
  )
}
