import { constraints } from "@kinora/domain/enums/Constraints"
import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import type { InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { Effect, type Scope } from "effect"
import type { FileSink } from "../../platform/body/MultipartBody.ts"
import { openUploadFile } from "../../platform/body/UploadFile.ts"
import { type PictureField, pictureFields } from "./UploadPictures.ts"

const { maxBytes } = constraints.video.image

export const isPictureField = (name: string): name is PictureField => pictureFields.some((field) => field === name)

/** Takes a picture into a file, up to the size pictures may have. */
export const pictureSink = Effect.fnUntraced(function* (
  field: PictureField,
  path: string
): Effect.fn.Return<FileSink<InsufficientStorage | InvalidParameters>, InsufficientStorage, Scope.Scope> {
  const file = yield* openUploadFile(path, 0)
  return {
    write: (chunk) =>
      file.position + chunk.length > maxBytes
        ? Effect.fail(InvalidParameters.one(field, `Should be a picture of at most ${maxBytes} bytes`, "body"))
        : file.write(chunk),
    end: Effect.void
  }
})
