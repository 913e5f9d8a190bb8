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
import { StoreFiles } from "./StoreFiles.ts"
import { VideoTorrents } from "./VideoTorrents.ts"

/** What an attempt comes to: files on the local disk, and what is to become of them. */
export interface Finished {
  readonly encoded?: Encoded | undefined
  /** One that was made by itself. */
  readonly storyboard?: StoryboardFile | undefined
  readonly thumbnails?: ReadonlyArray<PictureFile> | undefined
  /** Whether every file is looked into: players are told what is inside, and a broken one does not get far. */
  readonly describe: boolean
  /** The kind of renditions that `encoded` replaces; all of the video when absent. */
  readonly only?: RenditionKind | undefined
  /** Given when these are the first renditions of a source that took the place of another. */
  readonly shape?: SourceShape | undefined
  /** Whether the video is ready to be seen. */
  readonly publish: boolean
  /** Whether the source is needed no more. */
  readonly dropSource: boolean
  /** Work that follows. */
  readonly next?: ReadonlyArray<NewJob> | undefined
  /** What becomes of the job in the transaction that puts the files in use; absent: it has ended well. */
  readonly end?: Publication["end"]
}

/** Whose files they are, and the attempt that made them. */
export interface FinishedOf {
  readonly step: "publish" | "transcode" | "storyboard"
  readonly lease: JobLease
  /** Count of the attempt, from 1. */
  readonly attempt: number
  /** As it was when the files were begun: one that turned private or public meanwhile is refused. */
  readonly video: { readonly id: number; readonly uuid: string; readonly name: string; readonly privacy: number }
}

/**
 * Puts finished files in use, wherever they were made: torrents, then the object store, then one transaction that also ends
 * the job. A crash in between leaves the video as it was, and nothing for good.
 */
export class FinishedFiles extends Context.Service<
  FinishedFiles,
  {
    /** Gives whether the video was published by it. */
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

      const describe = Effect.fnUntraced(function* ({ renditions }: Encoded) {
        const paths = renditions.flatMap(({ hls, web }) => [hls, web].flatMap((made) => (made ? [made.file] : [])))
        const told = yield* Effect.forEach(
          paths,
          (path) => Effect.map(probe.describe(path), (raw) => [path, raw] as const),
          { concurrency: 2 }
        )
        return new Map<string, unknown>(told)
      })

      const commit = Effect.fn("FinishedFiles.commit")(function* (of: FinishedOf, finished: Finished) {
        const { encoded } = finished
        const failed = toolFailed(of.attempt)
        const told = encoded === undefined || !finished.describe ? Effect.undefined : describe(encoded)
        const seeds = encoded === undefined ? Effect.undefined : torrents.make(of.video, encoded)
        // One waits for ffprobe most of the time, the other for the disk.
        const [metadata, seeded] = yield* Effect.mapError(Effect.all([told, seeds], { concurrency: 2 }), failed)
        yield* reached(`${of.step}:made`)
        const stored = yield* files.store(of.video, {
          encoded,
          metadata,
          torrents: seeded,
          storyboard: finished.storyboard ?? encoded?.storyboard,
          thumbnails: finished.thumbnails
        })
        yield* reached(`${of.step}:stored`)
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

      return FinishedFiles.of({ commit })
    })
  )
}
