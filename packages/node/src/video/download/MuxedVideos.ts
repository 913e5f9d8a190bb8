import type { RateLimited } from "@kinora/domain/errors/RequestErrors"
import { type InsufficientStorage, ServiceUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { FileNotFound, type VideoFileNotFound } from "@kinora/domain/errors/VideoErrors"
import type { FfmpegFailed, ToolMissing } from "@kinora/media/errors/MediaErrors"
import { Mux, type MuxInputs } from "@kinora/media/mux/Mux"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import type { DownloadableFile, StoredPlace } from "@kinora/storage/video/download/DownloadRows"
import { Context, Effect, Layer, Option, type Scope } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { growingBody } from "../../platform/http/DirectBody.ts"
import { DownloadPace } from "./DownloadPace.ts"
import { DownloadSettings } from "./DownloadSettings.ts"
import { FetchedFiles } from "./FetchedFiles.ts"
import { MuxSlots } from "./MuxSlots.ts"
import { writePieces } from "./PieceWriter.ts"

const notStarted = { reason: "Videos cannot be generated for download at the moment", retryAfterSeconds: 60 }

/** Where the two files are. */
interface Places {
  readonly video: DownloadableFile["place"]
  readonly audio: DownloadableFile["place"]
}

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
     * is a 500. Files of another instance arrive whole before.
     */
    readonly answer: (
      request: HttpServerRequest,
      files: Places,
      headers: Record<string, string>
    ) => Effect.Effect<
      HttpServerResponse.HttpServerResponse,
      FileNotFound | InsufficientStorage | RateLimited | ServiceUnavailable | VideoFileNotFound,
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
      const fetched = yield* FetchedFiles
      const paces = yield* DownloadPace
      const settings = yield* DownloadSettings

      const isThere = ({ key }: StoredPlace) => Effect.mapError(store.stat(key), () => new FileNotFound())

      /** A file in object storage is copied: the tool reads both files by and by, for as long as the client takes. */
      const pathOf = ({ key }: StoredPlace) =>
        Effect.catchTag(store.scopedFile(key), "ObjectNotFound", () => Effect.fail(new FileNotFound()))

      const local = (place: DownloadableFile["place"]) =>
        place._tag === "Stored" ? pathOf(place) : fetched.bring(place)

      const answer = Effect.fnUntraced(function* (
        request: HttpServerRequest,
        files: Places,
        headers: Record<string, string>
      ) {
        const { audio, video } = files
        for (const place of [video, audio]) if (place._tag === "Stored") yield* isThere(place)
        if (request.method === "HEAD") return HttpServerResponse.empty({ status: 200, headers })
        const address = Option.getOrElse(request.remoteAddress, () => "")
        yield* places.take(address)
        const inputs: MuxInputs = { video: yield* local(video), audio: yield* local(audio) }
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
  )
}
