import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import { invalidParamsOf } from "@kinora/domain/errors/InvalidParams"
import type { InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import {
  decodePlaylistCreate,
  decodePlaylistUpdate,
  type PlaylistCreate,
  type PlaylistUpdate
} from "@kinora/domain/requests/PlaylistRequests"
import { Context, Effect, Layer, type Schema, type Scope } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { join } from "node:path"
import { type BodyRefused, readFields } from "../../platform/body/FieldsBody.ts"
import { ScratchFolders } from "../../video/edit/ScratchFolders.ts"
import type { FileSink } from "../../platform/body/MultipartBody.ts"
import { ignored } from "../../platform/body/MultipartBody.ts"
import { openUploadFile } from "../../platform/body/UploadFile.ts"
import { mostPictureBytes, pictureField } from "./PlaylistPictures.ts"

/** A picture, and what fields and boundaries take at most. */
const maxBytes = mostPictureBytes + 1024 * 1024

/** The fields of a request, and the path of the picture it brought: alone in a folder that goes with the scope. */
interface PlaylistBodyRead<A> {
  readonly fields: A
  readonly file: string | undefined
}

type Read<A> = Effect.Effect<PlaylistBodyRead<A>, BodyRefused | InsufficientStorage, Scope.Scope>

const sinkTo = Effect.fnUntraced(function* (
  path: string
): Effect.fn.Return<FileSink<InsufficientStorage | InvalidParameters>, InsufficientStorage, Scope.Scope> {
  const file = yield* openUploadFile(path, 0)
  return {
    write: (chunk) =>
      file.position + chunk.length > mostPictureBytes
        ? Effect.fail(
            InvalidParameters.one(pictureField, `Should be a picture of at most ${mostPictureBytes} bytes`, "body")
          )
        : file.write(chunk),
    end: Effect.void
  }
})

/** Reads what a request says of a playlist: as JSON, or as a form that may bring a picture (`thumbnailfile`). */
export class PlaylistBody extends Context.Service<
  PlaylistBody,
  {
    readonly create: (request: HttpServerRequest) => Read<PlaylistCreate>
    readonly update: (request: HttpServerRequest) => Read<PlaylistUpdate>
  }
>()("@kinora/node/playlists/PlaylistBody") {
  static readonly layer = Layer.effect(
    PlaylistBody,
    Effect.gen(function* () {
      const folders = yield* ScratchFolders

      const read = Effect.fnUntraced(function* <A>(
        request: HttpServerRequest,
        decode: (input: unknown) => Effect.Effect<A, Schema.SchemaError>
      ) {
        const folder = yield* folders.make
        let file: string | undefined
        const input = yield* readFields<InsufficientStorage | InvalidParameters>(request, {
          maxBytes,
          onFile: Effect.fnUntraced(function* ({ name }) {
            if (name !== pictureField || file !== undefined) return ignored
            file = join(folder, pictureField)
            return yield* sinkTo(file)
          })
        })
        const fields = yield* Effect.mapError(
          decode(input),
          ({ issue }) => new InvalidParameters({ invalidParams: invalidParamsOf(issue, "body", input) })
        )
        return { fields, file }
      })

      return PlaylistBody.of({
        create: (request) => read(request, decodePlaylistCreate),
        update: (request) => read(request, decodePlaylistUpdate)
      })
    })
  )
}
