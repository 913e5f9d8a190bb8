import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import { Thumbnails } from "@kinora/media/images/Thumbnails"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import type { InsufficientStorage, DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { NewThumbnail } from "@kinora/storage/video/write/NewVideo"
import { VideoPublication } from "@kinora/storage/video/write/VideoPublication"
import { Context, Effect, Layer, Path, Schema } from "effect"
import { copyFile } from "node:fs/promises"
import { StagedParts } from "./StagedParts.ts"
import { UploadDisk } from "./UploadDisk.ts"
import { UploadSettings } from "./UploadSettings.ts"
import { onDisk } from "../../platform/body/UploadFile.ts"
import { uuidOf } from "../../platform/ids/DerivedIds.ts"

/** Pictures a client may send with a video. */
export const pictureFields = ["thumbnailfile", "previewfile"] as const
export type PictureField = (typeof pictureFields)[number]

const sizes = {
  miniature: { type: 1, width: 280, height: 157 },
  preview: { type: 2, width: 850, height: 480 }
} as const
type PictureSize = (typeof sizes)[keyof typeof sizes]

/** A picture that was made from what the client sent and waits beside the upload. */
export const WaitingPicture = Schema.Struct({
  type: Schema.Literals([1, 2]),
  width: Schema.Int,
  height: Schema.Int
})
export type WaitingPicture = typeof WaitingPicture.Type

const fileName = (type: 1 | 2): string => `picture-${type}.jpg`

/**
 * The pictures of an upload. `thumbnailfile` gives both sizes; `previewfile`, which older clients send, the large one.
 */
export class UploadPictures extends Context.Service<
  UploadPictures,
  {
    /** Makes the pictures of an upload from the files that were sent, given by their paths. */
    readonly prepare: (
      uploadId: string,
      files: ReadonlyMap<PictureField, string>
    ) => Effect.Effect<ReadonlyArray<WaitingPicture>, InvalidParameters>
    /** Lets other nodes have them, once the upload is known. */
    readonly share: (
      uploadId: string,
      pictures: ReadonlyArray<WaitingPicture>
    ) => Effect.Effect<void, InsufficientStorage | DatabaseUnavailable>
    /** Puts them into the object store; can be repeated. */
    readonly store: (
      uploadId: string,
      pictures: ReadonlyArray<WaitingPicture>
    ) => Effect.Effect<ReadonlyArray<NewThumbnail>, InsufficientStorage | DatabaseUnavailable>
  }
>()("@kinora/node/uploads/UploadPictures") {
  static readonly layer = Layer.effect(
    UploadPictures,
    Effect.gen(function* () {
      const thumbnails = yield* Thumbnails
      const disk = yield* UploadDisk
      const settings = yield* UploadSettings
      const staged = yield* StagedParts
      const objects = yield* ObjectStore
      const publication = yield* VideoPublication
      const path = yield* Path.Path

      const convert = Effect.fnUntraced(function* (
        uploadId: string,
        field: PictureField,
        source: string,
        wanted: ReadonlyArray<PictureSize>
      ) {
        const typeOf = (width: number) => (width === sizes.miniature.width ? 1 : 2)
        yield* thumbnails
          .fromPicture({
            source,
            directory: path.dirname(disk.path(uploadId)),
            sizes: wanted,
            name: ({ width }) => path.basename(disk.besides(uploadId, fileName(typeOf(width))))
          })
          .pipe(
            Effect.catchTags({
              UnsupportedPicture: ({ detail }) => Effect.fail(InvalidParameters.one(field, detail, "body")),
              PlatformError: Effect.die
            })
          )
        return wanted
      })

      const prepare = Effect.fn("UploadPictures.prepare")(function* (
        uploadId: string,
        files: ReadonlyMap<PictureField, string>
      ) {
        const preview = files.get("previewfile")
        const thumbnail = files.get("thumbnailfile")
        const made: Array<PictureSize> = []
        if (preview !== undefined) made.push(...(yield* convert(uploadId, "previewfile", preview, [sizes.preview])))
        if (thumbnail !== undefined) {
          const wanted = preview === undefined ? [sizes.miniature, sizes.preview] : [sizes.miniature]
          made.push(...(yield* convert(uploadId, "thumbnailfile", thumbnail, wanted)))
        }
        return made
      })

      const share = Effect.fn("UploadPictures.share")(function* (
        uploadId: string,
        pictures: ReadonlyArray<WaitingPicture>
      ) {
        if (!settings.stagesObjects) return
        for (const { type } of pictures) yield* staged.putBesides(uploadId, fileName(type))
      })

      const store = Effect.fn("UploadPictures.store")(function* (
        uploadId: string,
        pictures: ReadonlyArray<WaitingPicture>
      ) {
        const named = pictures.map((picture) => ({
          ...picture,
          filename: `${uuidOf(uploadId, `picture-${picture.type}`)}.jpg`,
          automaticallyGenerated: false
        }))
        yield* publication.intend(named.map(({ filename }) => ({ bucket: "thumbnails", name: filename })))
        for (const { filename, type } of named) {
          // A copy goes: the picture itself stays until the upload ends, should this have to be done again.
          if (settings.stagesObjects) yield* staged.bringBesides(uploadId, fileName(type))
          const copy = disk.besides(uploadId, `copy-${type}.jpg`)
          yield* onDisk(() => copyFile(disk.besides(uploadId, fileName(type)), copy))
          yield* objects.put({ bucket: "thumbnails", name: filename }, copy)
        }
        return named
      })

      return UploadPictures.of({ prepare, share, store })
    })
  )
}
