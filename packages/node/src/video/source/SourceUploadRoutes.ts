import { SourceRoutes } from "@kinora/domain/api/SourceRoutes"
import { UnauthorizedRequest } from "@kinora/domain/errors/AuthErrors"
import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import { parseVideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import { decodeSourceAnnouncement } from "@kinora/domain/requests/SourceRequests"
import { Effect, Option } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { answer } from "../../platform/http/Answer.ts"
import { withOperation } from "../../platform/http/Operation.ts"
import { AccessTokens } from "../../people/session/AccessTokens.ts"
import { viewerOf } from "../../people/session/AuthenticationLayer.ts"
import { CreateBody } from "../upload/CreateBody.ts"
import { announced, chunkOf, incomplete, noStore, uploadIdOf } from "../upload/ResumableHttp.ts"
import { readAnnounced } from "../upload/UploadFields.ts"
import { newUploadId } from "../../platform/ids/DerivedIds.ts"
import { UploadSettings } from "../staging/UploadSettings.ts"
import { presented } from "../list/Presented.ts"
import { SourceUploads } from "../upload/SourceUploads.ts"
import { ReplaceableSources } from "./ReplaceableSources.ts"

const path = "/api/v1/videos/:id/source/replace-resumable"
const endpoints = SourceRoutes.endpoints as unknown as Record<keyof typeof SourceRoutes.endpoints, HttpApiEndpoint.Top>

const idMessage = "Must be the id, the UUID or the short UUID of a video"
/** The file name if the client sends none. */
const unnamed = "video"

/**
 * `POST`, `PUT` and `DELETE /videos/{id}/source/replace-resumable` (contract: replaceVideoSourceResumableInit and the
 * following operations). Raw routes: bodies are streamed. A client that may not replace the source is refused before
 * its body is read.
 */
export const sourceUploadRoutes = HttpRouter.use(
  Effect.fn(function* (router) {
    const tokens = yield* AccessTokens
    const replaceable = yield* ReplaceableSources
    const body = yield* CreateBody
    const uploads = yield* SourceUploads
    const settings = yield* UploadSettings

    const opened = Effect.fnUntraced(function* (request: HttpServerRequest) {
      const viewer = yield* viewerOf(tokens, request)
      if (Option.isNone(viewer)) return yield* new UnauthorizedRequest()
      const { id = "" } = yield* HttpRouter.params
      const named = parseVideoIdOrUuid(id)
      if (named === undefined) return yield* InvalidParameters.one("id", idMessage, "params", id.slice(0, 100))
      return { user: viewer.value, video: yield* replaceable.open(named, presented(request, viewer)) }
    })

    const create = Effect.gen(function* () {
      const request = yield* HttpServerRequest
      const { user, video } = yield* opened(request)
      const id = newUploadId()
      return yield* body.read(request, id, (input) =>
        Effect.gen(function* () {
          const read = yield* readAnnounced(input, request.headers, decodeSourceAnnouncement)
          yield* uploads.create(user, video, read.fields.filename ?? unnamed, read.announced, id)
          return announced(request, settings.host, id)
        })
      )
    })

    const put = Effect.gen(function* () {
      const request = yield* HttpServerRequest
      const { user, video } = yield* opened(request)
      const progress = yield* uploads.put(user, video, uploadIdOf(request), yield* chunkOf(request))
      return progress._tag === "Finished"
        ? HttpServerResponse.empty({ status: 204, headers: noStore })
        : incomplete(progress)
    })

    const cancel = Effect.gen(function* () {
      const request = yield* HttpServerRequest
      const { user, video } = yield* opened(request)
      yield* uploads.cancel(user, video, uploadIdOf(request))
      return HttpServerResponse.empty({ status: 204, headers: noStore })
    })

    yield* router.addAll([
      withOperation(HttpRouter.route("POST", path, answer(create)), endpoints.replaceVideoSourceResumableInit),
      withOperation(HttpRouter.route("PUT", path, answer(put)), endpoints.replaceVideoSourceResumable),
      withOperation(HttpRouter.route("DELETE", path, answer(cancel)), endpoints.replaceVideoSourceResumableCancel)
    ])
  })
)
