import type { RateLimited } from "@kinora/domain/errors/RequestErrors"
import type { InsufficientStorage, ServiceUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { VideoFileNotFound } from "@kinora/domain/errors/VideoErrors"
import type { RemotePlace } from "@kinora/storage/video/download/DownloadRows"
import { Context, Effect, Layer, Option, type Scope } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { open } from "node:fs/promises"
import { directBody, directResponse } from "../../platform/http/DirectBody.ts"
import { DownloadPace } from "./DownloadPace.ts"
import { DownloadSettings } from "./DownloadSettings.ts"
import { FetchedFiles } from "./FetchedFiles.ts"
import { MuxSlots } from "./MuxSlots.ts"
import { writePieces } from "./PieceWriter.ts"

const pieceBytes = 256 * 1024

/** Hands out single files of other instances. */
export class FetchedVideos extends Context.Service<
  FetchedVideos,
  {
    /** The file arrives whole before the answer begins: if it cannot be had, the answer says so. */
    readonly answer: (
      request: HttpServerRequest,
      place: RemotePlace,
      headers: Record<string, string>
    ) => Effect.Effect<
      HttpServerResponse.HttpServerResponse,
      InsufficientStorage | RateLimited | ServiceUnavailable | VideoFileNotFound,
      Scope.Scope
    >
  }
>()("@kinora/node/downloads/FetchedVideos") {
  static readonly layer = Layer.effect(
    FetchedVideos,
    Effect.gen(function* () {
      const files = yield* FetchedFiles
      const places = yield* MuxSlots
      const paces = yield* DownloadPace
      const settings = yield* DownloadSettings

      const opened = (path: string) =>
        Effect.acquireRelease(
          Effect.promise(() => open(path)),
          (file) => Effect.promise(() => file.close())
        )

      const answer = Effect.fnUntraced(function* (
        request: HttpServerRequest,
        place: RemotePlace,
        headers: Record<string, string>
      ) {
        if (request.method === "HEAD") return HttpServerResponse.empty({ status: 200, headers })
        const address = Option.getOrElse(request.remoteAddress, () => "")
        yield* places.take(address)
        const file = yield* opened(yield* files.bring(place))
        const { size } = yield* Effect.promise(() => file.stat())
        const buffer = Buffer.allocUnsafe(pieceBytes)
        const next = Effect.map(
          Effect.promise(() => file.read(buffer)),
          ({ bytesRead }) => (bytesRead === 0 ? undefined : buffer.subarray(0, bytesRead))
        )
        const first = yield* next
        const body = directBody(size, (response) =>
          writePieces({ response, first, next, pace: paces.of(address), settings, wrote: () => undefined })
        )
        return directResponse(body, { status: 200, headers })
      })

      return FetchedVideos.of({ answer })
    })
  )
}
