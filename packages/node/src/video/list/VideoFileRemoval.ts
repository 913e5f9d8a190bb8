import type { DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { VideoChangeRefused, VideoFileNotFound } from "@kinora/domain/errors/VideoErrors"
import { Removals } from "@kinora/storage/platform/objects/Removals"
import { HlsFileDeletion } from "@kinora/storage/video/write/HlsFileDeletion"
import { type FilesRemoval, VideoDeletion } from "@kinora/storage/video/write/VideoDeletion"
import { Context, Effect, Layer } from "effect"
import { ByteServing } from "../../platform/http/ByteServing.ts"
import { type Changed, VideoActs } from "./VideoActs.ts"

type Refused = VideoFileNotFound | VideoChangeRefused | DatabaseUnavailable

const outcomeOf = (removal: FilesRemoval): Effect.Effect<void, VideoFileNotFound | VideoChangeRefused> => {
  switch (removal) {
    case "removed":
      return Effect.void
    case "missing":
      return Effect.fail(new VideoFileNotFound())
    case "last":
      return Effect.fail(
        new VideoChangeRefused({ reason: "The last files a video can be played from cannot be deleted" })
      )
  }
}

/**
 * Deletes files of videos; they are gone when these effects end. A video keeps files that it can be played from. The right
 * is checked by the endpoints.
 */
export class VideoFileRemoval extends Context.Service<
  VideoFileRemoval,
  {
    /** Deletes the HLS playlist with all its files. */
    readonly playlist: (changed: Changed) => Effect.Effect<void, Refused>
    /** Deletes one file of the playlist. The last variant goes with its playlist, where web videos are left to play. */
    readonly playlistFile: (changed: Changed, fileId: number) => Effect.Effect<void, Refused | InsufficientStorage>
    readonly webVideos: (changed: Changed) => Effect.Effect<void, Refused>
    readonly webVideo: (changed: Changed, fileId: number) => Effect.Effect<void, Refused>
  }
>()("@kinora/node/video/list/VideoFileRemoval") {
  static readonly layer = Layer.effect(
    VideoFileRemoval,
    Effect.gen(function* () {
      const deletion = yield* VideoDeletion
      const hlsFiles = yield* HlsFileDeletion
      const acts = yield* VideoActs
      const removals = yield* Removals
      const { forgetAll } = yield* ByteServing

      const settle = (removal: FilesRemoval) =>
        outcomeOf(removal).pipe(Effect.andThen(removals.settle), Effect.andThen(Effect.sync(forgetAll)))

      const recorded = (changed: Changed, fileId?: number) =>
        acts.byRight(changed, { action: "delete-files", details: fileId === undefined ? {} : { fileId } })

      const playlist = (changed: Changed) =>
        Effect.flatMap(recorded(changed)(deletion.playlist(changed.video.id)), settle)

      const webVideos = (changed: Changed, fileId?: number) =>
        Effect.flatMap(recorded(changed, fileId)(deletion.webVideos(changed.video.id, fileId ?? null)), settle)

      const playlistFile = Effect.fn("VideoFileRemoval.playlistFile")(function* (changed: Changed, fileId: number) {
        const removal = yield* hlsFiles.remove(changed.video.id, fileId, recorded(changed, fileId))
        yield* removal === "only" ? playlist(changed) : settle(removal)
      })

      return VideoFileRemoval.of({ playlist, playlistFile, webVideos, webVideo: webVideos })
    })
  )
}
