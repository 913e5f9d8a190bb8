import { constraints } from "@kinora/domain/enums/Constraints"
import { invalidParamsOf } from "@kinora/domain/errors/InvalidParams"
import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import type { InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { decodeLiveCreate, type LiveCreate } from "@kinora/domain/requests/LiveRequests"
import { checkTogether } from "@kinora/domain/requests/VideoUpload"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { join } from "node:path"
import { readFields } from "../../platform/body/FieldsBody.ts"
import { ignored } from "../../platform/body/MultipartBody.ts"
import { isPictureField, pictureSink } from "../../video/staging/PictureSink.ts"
import type { PictureField } from "../../video/staging/UploadPictures.ts"

/** Two images, and the maximum for fields and boundaries. */
const maxBytes = 2 * constraints.video.image.maxBytes + 1024 * 1024

/** What a request says of a new live. Its images are in the folder, which the caller provides. */
export interface AskedLive {
  readonly fields: LiveCreate
  readonly pictures: ReadonlyMap<PictureField, string>
}

/** What is said of a new live, if it is right and goes together. */
export const askedLive = Effect.fnUntraced(function* (input: unknown) {
  const fields = yield* Effect.mapError(
    decodeLiveCreate(input),
    ({ issue }) => new InvalidParameters({ invalidParams: invalidParamsOf(issue, "body", input) })
  )
  const together = checkTogether(fields)
  return together === undefined ? fields : yield* together
})

/** Reads the body of a request for a live: a form with images, a form without, or JSON. */
export const readLive = Effect.fn("LiveBody.readLive")(function* (request: HttpServerRequest, folder: string) {
  const pictures = new Map<PictureField, string>()
  const input = yield* readFields<InsufficientStorage | InvalidParameters>(request, {
    maxBytes,
    onFile: Effect.fnUntraced(function* ({ name }) {
      if (!isPictureField(name) || pictures.has(name)) return ignored
      const path = join(folder, name)
      pictures.set(name, path)
      return yield* pictureSink(name, path)
    })
  })
  return { fields: yield* askedLive(input), pictures } satisfies AskedLive
})
