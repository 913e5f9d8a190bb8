import type { RateLimited } from "@kinora/domain/errors/RequestErrors"
import { ServiceUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { FileNotFound } from "@kinora/domain/errors/VideoErrors"
import type { FfmpegFailed, ToolMissing } from "@kinora/media/errors/MediaErrors"
import { Mux, type MuxInputs } from "@kinora/media/mux/Mux"
import type { ObjectKey } from "@kinora/storage/platform/objects/ObjectKey"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { Context, Effect, Layer, Option, type Scope } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { growingBody } from "../../platform/http/DirectBody.ts"
import { DownloadPace } from "./DownloadPace.ts"
import { DownloadSettings } from "./DownloadSettings.ts"
import { MuxSlots } from "./MuxSlots.ts"
import { writePieces } from "./PieceWriter.ts"

const notStarted = { reason: "Videos cannot be generated for download at the moment", retryAfterSeconds: 60 }

/** A lack of resources on this machine is not an error of the files. */
const failed = (error: FfmpegFailed | ToolMissing): Effect.Effect<never, ServiceUnavailable> =>
  error._tag === "ToolMissing" || error.reason === "spawn"
    ? Effect.fail(new ServiceUnavailable(notStarted))
    : Effect.die(error)

/** Muxes a video and an audio file while the response is sent. */
export class MuxedVideos extends Context.Service<
  MuxedVideos,
  {
    /**
     * The tool runs in the scope of the request and starts before the response: if it cannot read the input, the answer
     * is a 500.
     */
    readonly answer: (
      request: HttpServerRequest,
      files: { readonly video: ObjectKey; readonly audio: ObjectKey },
      headers: Record<string, string>
    ) => Effect.Effect<
      HttpServerResponse.HttpServerResponse,
      FileNotFound | RateLimited | ServiceUnavailable,
      Scope.Scope
    >
  }
>()("@kinora/node/downloads/MuxedVideos") {
  static readonly layer = Layer.effect(
    MuxedVideos,
    Effect.gen(function* () {
      const mux = yield* Mux
      const store = yield* ObjectStore
      const places = yield* MuxSlots
      const paces = yield* DownloadPace
      const settings = yield* DownloadSettings

      const pathOf = Effect.fnUntraced(
        function* (key: ObjectKey) {
          yield* store.stat(key)
          return Option.getOrThrow(store.localPath(key))
        },
        Effect.catchTag("ObjectNotFound", () => Effect.fail(new FileNotFound()))
      )

      const answer = Effect.fnUntraced(function* (
        request: HttpServerRequest,
        files: { readonly video: ObjectKey; readonly audio: ObjectKey },
        headers: Record<string, string>
      ) {
        const inputs: MuxInputs = { video: yield* pathOf(files.video), audio: yield* pathOf(files.audio) }
        if (request.method === "HEAD") return HttpServerResponse.empty({ status: 200, headers })
        const address = Option.getOrElse(request.remoteAddress, () => "")
        yield* places.take(address)
        const { next } = yield* Effect.catch(mux.mux(inputs), failed)
        const first = yield* Effect.catch(next, failed)
        let sent = 0
        const body = growingBody(
          () => sent,
          (response) =>
            writePieces({
              response,
              first,
              next,
              pace: paces.of(address),
              settings,
              wrote: (bytes) => {
                sent += bytes
              }
            })
        )
        return HttpServerResponse.raw(body, { status: 200, headers })
      })

      return MuxedVideos.of({ answer })
    })
  ).pipe(Layer.provide(MuxSlots.layer))
}
