import { type ActorImageType, imageSizes } from "@kinora/domain/enums/ImageSizes"
import type { ActorNotFound } from "@kinora/domain/errors/ActorErrors"
import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import type { ActorImage } from "@kinora/domain/wire/ActorImage"
import { Pictures } from "@kinora/media/images/Pictures"
import { actorImageObject, ActorImageRows } from "@kinora/storage/people/actor/ActorImageRows"
import type { Around } from "@kinora/storage/platform/audit/Around"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { Context, Effect, Exit, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { dirname, join } from "node:path"
import { unaudited } from "../../platform/audit/AuditTrail.ts"
import { imageField } from "./ImageField.ts"

/**
 * Avatars and banners. An uploaded image becomes a JPEG in each size of the contract: cropped to its shape, enlarged if
 * the original is smaller (clients choose by width and expect every size), with a white background, without animation.
 * Each file has a new name, so that it can be cached forever.
 */
export class ActorImages extends Context.Service<
  ActorImages,
  {
    /**
     * Makes the sizes of an actor's image from a file (see `ImageUpload`), in the folder of that file. `around` adds to the
     * transaction that puts them into use.
     */
    readonly set: (
      actorId: number,
      type: ActorImageType,
      file: string,
      around?: Around
    ) => Effect.Effect<
      ReadonlyArray<ActorImage>,
      InvalidParameters | ActorNotFound | InsufficientStorage | DatabaseUnavailable
    >
    /** Removes the image. False: there is none. */
    readonly remove: (
      actorId: number,
      type: ActorImageType
    ) => Effect.Effect<boolean, ActorNotFound | DatabaseUnavailable>
  }
>()("@kinora/node/actors/ActorImages") {
  static readonly layer = Layer.effect(
    ActorImages,
    Effect.gen(function* () {
      const rows = yield* ActorImageRows
      const objects = yield* ObjectStore
      const pictures = yield* Pictures

      const store = Effect.fnUntraced(function* (
        actorId: number,
        type: ActorImageType,
        made: ReadonlyArray<{ filename: string; width: number; height: number; path: string }>,
        around: Around
      ) {
        yield* Effect.forEach(made, ({ filename, path }) => objects.put(actorImageObject(filename), path), {
          discard: true
        })
        return yield* around(
          rows.replace(
            actorId,
            type,
            made.map(({ filename, height, width }) => ({ filename, width, height }))
          )
        )
      })

      const set = Effect.fn("ActorImages.set")(function* (
        actorId: number,
        type: ActorImageType,
        file: string,
        around: Around = unaudited
      ) {
        const made = imageSizes[type].map(({ height, width }) => {
          const filename = `${randomUUID()}.jpg`
          return { filename, width, height, path: join(dirname(file), filename) }
        })
        yield* pictures.write(file, made, "cover", "#ffffff").pipe(
          Effect.catchTags({
            UnsupportedPicture: ({ detail }) => Effect.fail(InvalidParameters.one(imageField(type), detail, "body")),
            PlatformError: Effect.die
          })
        )
        const filenames = made.map(({ filename }) => filename)
        yield* rows.intend(filenames)
        return yield* store(actorId, type, made, around).pipe(
          Effect.onExit((exit) =>
            // If this fails too, the daily cleanup removes them.
            Exit.isSuccess(exit)
              ? Effect.void
              : Effect.ignore(rows.abandon(filenames), {
                  log: "Warn",
                  message: "Pictures that are not needed could not be removed; the daily sweep does"
                })
          )
        )
      })

      return ActorImages.of({ set, remove: rows.remove })
    })
  )
}
