import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { Pictures } from "@kinora/media/images/Pictures"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import type { NewThumbnail } from "@kinora/storage/video/write/NewVideo"
import { Context, Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { dirname, join } from "node:path"
import type { PictureField } from "../staging/UploadPictures.ts"

const miniature = { type: 1, width: 280, height: 157 } as const
const preview = { type: 2, width: 850, height: 480 } as const

/** An image in one size, in the folder of the file it was made from. */
export interface MadePicture extends NewThumbnail {
  readonly path: string
}

/** Thumbnails of a video from uploaded images. */
export class EditPictures extends Context.Service<
  EditPictures,
  {
    /** Makes the sizes: `thumbnailfile` gives both, `previewfile`, which older clients send, the large one. */
    readonly make: (
      files: ReadonlyMap<PictureField, string>
    ) => Effect.Effect<ReadonlyArray<MadePicture>, InvalidParameters>
    /** Puts them into the object store. */
    readonly store: (
      pictures: ReadonlyArray<MadePicture>
    ) => Effect.Effect<void, InsufficientStorage | DatabaseUnavailable>
  }
>()("@kinora/node/edit/EditPictures") {
  static readonly layer = Layer.effect(
    EditPictures,
    Effect.gen(function* () {
      const pictures = yield* Pictures
      const objects = yield* ObjectStore

      const sized = Effect.fnUntraced(function* (
        field: PictureField,
        file: string,
        sizes: ReadonlyArray<typeof miniature | typeof preview>
      ) {
        const made = sizes.map((size) => {
          const filename = `${randomUUID()}.jpg`
          return { ...size, filename, automaticallyGenerated: false, path: join(dirname(file), filename) }
        })
        yield* pictures.write(file, made, "cover").pipe(
          Effect.catchTags({
            UnsupportedPicture: ({ detail }) => Effect.fail(InvalidParameters.one(field, detail, "body")),
            PlatformError: Effect.die
          })
        )
        return made
      })

      const make = Effect.fn("EditPictures.make")(function* (files: ReadonlyMap<PictureField, string>) {
        const large = files.get("previewfile")
        const both = files.get("thumbnailfile")
        return [
          ...(large === undefined ? [] : yield* sized("previewfile", large, [preview])),
          ...(both === undefined
            ? []
            : yield* sized("thumbnailfile", both, large === undefined ? [miniature, preview] : [miniature]))
        ]
      })

      const store = Effect.fn("EditPictures.store")(function* (made: ReadonlyArray<MadePicture>) {
        for (const { filename, path } of made) yield* objects.put({ bucket: "thumbnails", name: filename }, path)
      })

      return EditPictures.of({ make, store })
    })
  )
}
