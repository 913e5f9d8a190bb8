import { constraints } from "@kinora/domain/enums/Constraints"
import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { Pictures } from "@kinora/media/images/Pictures"
import { usualSizes } from "@kinora/media/images/Thumbnails"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { type NewPlaylistPicture, PlaylistWrites } from "@kinora/storage/social/playlist/PlaylistWrites"
import { Context, Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { dirname, join } from "node:path"

/** Name of the form's field that holds the picture. */
export const pictureField = "thumbnailfile"

/** Bytes a picture may have. */
export const { maxBytes: mostPictureBytes } = constraints.playlist.image

/** Pictures somebody chose for a playlist, in the sizes of those of videos. */
export class PlaylistPictures extends Context.Service<
  PlaylistPictures,
  {
    /**
     * Makes the sizes of a picture beside its file, stores them and runs the work that puts them in use; when that fails
     * nothing of them is left. Without a file the work gets none.
     */
    readonly using: <A, E, R>(
      file: string | undefined,
      work: (pictures: ReadonlyArray<NewPlaylistPicture> | undefined) => Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | InvalidParameters | InsufficientStorage | DatabaseUnavailable, R>
  }
>()("@kinora/node/playlists/PlaylistPictures") {
  static readonly layer = Layer.effect(
    PlaylistPictures,
    Effect.gen(function* () {
      const objects = yield* ObjectStore
      const pictures = yield* Pictures
      const writes = yield* PlaylistWrites

      const sized = Effect.fnUntraced(function* (file: string) {
        const made = usualSizes.map((size) => {
          const filename = `${randomUUID()}.jpg`
          return { ...size, filename, path: join(dirname(file), filename) }
        })
        yield* pictures.write(file, made, "cover").pipe(
          Effect.catchTags({
            UnsupportedPicture: ({ detail }) => Effect.fail(InvalidParameters.one(pictureField, detail, "body")),
            PlatformError: Effect.die
          })
        )
        return made
      })

      const store = (made: ReadonlyArray<{ readonly filename: string; readonly path: string }>) =>
        Effect.forEach(made, ({ filename, path }) => objects.put({ bucket: "thumbnails", name: filename }, path), {
          discard: true
        })

      const using: PlaylistPictures["Service"]["using"] = Effect.fnUntraced(function* (file, work) {
        if (file === undefined) return yield* work(undefined)
        const made = yield* sized(file)
        const used = made.map(({ path: _, ...picture }) => picture)
        return yield* writes.usingPictures(
          used.map(({ filename }) => filename),
          Effect.andThen(store(made), work(used))
        )
      })

      return PlaylistPictures.of({ using })
    })
  )
}
