import { Thumbnails } from "@kinora/media/images/Thumbnails"
import type { MediaInfo } from "@kinora/media/probe/MediaInfo"
import { LivePictures } from "@kinora/storage/live/LivePictures"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { VideoUpdates } from "@kinora/storage/video/write/VideoUpdates"
import { Context, Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { basename } from "node:path"

const sizes = [
  { type: 1, width: 280, height: 157 },
  { type: 2, width: 850, height: 480 }
] as const

/** Pictures of lives from what their publishers send first. */
export class LiveThumbnails extends Context.Service<
  LiveThumbnails,
  {
    /** Shows a frame of the file for the live, unless a user chose a picture. `directory` is where it is made. */
    readonly show: (videoId: number, source: string, info: MediaInfo, directory: string) => Effect.Effect<void>
  }
>()("@kinora/node/live/session/LiveThumbnails") {
  static readonly layer = Layer.effect(
    LiveThumbnails,
    Effect.gen(function* () {
      const thumbnails = yield* Thumbnails
      const pictures = yield* LivePictures
      const updates = yield* VideoUpdates
      const objects = yield* ObjectStore

      const show = Effect.fn("LiveThumbnails.show")(
        function* (videoId: number, source: string, info: MediaInfo, directory: string) {
          if (info.video === undefined || !(yield* pictures.wanted(videoId))) return
          const made = yield* thumbnails.fromVideo({
            source,
            info,
            directory,
            sizes,
            analyzed: 1,
            name: () => `${randomUUID()}.jpg`
          })
          const rows = made.map(({ height, path, width }) => ({
            type: width < sizes[1].width ? (1 as const) : (2 as const),
            filename: basename(path),
            width,
            height,
            automaticallyGenerated: true
          }))
          const stored = Effect.forEach(
            made,
            ({ path }) => objects.put({ bucket: "thumbnails", name: basename(path) }, path),
            { discard: true }
          )
          const names = rows.map(({ filename }) => filename)
          yield* updates.usingPictures(names, Effect.andThen(stored, pictures.replace(videoId, rows)))
        },
        // A live without a picture can be watched.
        Effect.catch((error) => Effect.logWarning("No picture of a live could be made", error))
      )
      return LiveThumbnails.of({ show })
    })
  )
}
