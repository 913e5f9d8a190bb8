import { UploadRoutes } from "@kinora/domain/api/UploadRoutes"
import { UnauthorizedRequest } from "@kinora/domain/errors/AuthErrors"
import { UnsupportedContentType } from "@kinora/domain/errors/RequestErrors"
import { toShortUuid } from "@kinora/domain/ids/ShortUuid"
import type { UploadResult } from "@kinora/storage/video/upload/UploadSession"
import type { VideoUploadResponse } from "@kinora/domain/wire/VideoAnswers"
import { Effect, Option } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { answer, json } from "../../platform/http/Answer.ts"
import { withOperation } from "../../platform/http/Operation.ts"
import { AccessTokens } from "../../people/session/AccessTokens.ts"
import { viewerOf } from "../../people/session/AuthenticationLayer.ts"
import { CreateBody } from "./CreateBody.ts"
import { FirstFiles } from "./FirstFiles.ts"
import { FormUpload } from "./FormUpload.ts"
import { bodyOf } from "../../platform/body/RequestBody.ts"
import { announced, chunkOf, incomplete, lengthOf, noStore, uploadIdOf } from "./ResumableHttp.ts"
import type { UploadProgress } from "./ResumableSessions.ts"
import { ResumableUploads } from "./ResumableUploads.ts"
import { readResumableUpload } from "./UploadFields.ts"
import { UploadSettings } from "../staging/UploadSettings.ts"

const resumablePath = "/api/v1/videos/upload-resumable"
const endpoints = UploadRoutes.endpoints as unknown as Record<keyof typeof UploadRoutes.endpoints, HttpApiEndpoint.Top>

const made = (video: UploadResult) =>
  json({ video: { id: video.id, uuid: video.uuid, shortUUID: toShortUuid(video.uuid) } } satisfies VideoUploadResponse)

/**
 * `POST /videos/upload`, and `POST`, `PUT`, `DELETE /videos/upload-resumable` (contract: uploadLegacy, uploadResumableInit,
 * uploadResumable, uploadResumableCancel). Raw routes: bodies are streamed. Authentication is judged before anything else.
 */
export const uploadRoutes = HttpRouter.use(
  Effect.fn(function* (router) {
    const tokens = yield* AccessTokens
    const form = yield* FormUpload
    const resumable = yield* ResumableUploads
    const body = yield* CreateBody
    const settings = yield* UploadSettings
    const first = yield* FirstFiles

    /** Clients read the files of a video as soon as they know its id. */
    const created = (video: UploadResult) => Effect.as(first.waitFor(video.id), made(video))
    const progress = (result: UploadProgress) =>
      result._tag === "Finished" ? created(result.video) : Effect.succeed(incomplete(result))

    const userOf = Effect.fnUntraced(function* (request: HttpServerRequest) {
      const user = yield* viewerOf(tokens, request)
      return Option.isNone(user) ? yield* new UnauthorizedRequest() : user.value
    })

    const uploadForm = Effect.gen(function* () {
      const request = yield* HttpServerRequest
      const user = yield* userOf(request)
      const contentType = request.headers["content-type"] ?? ""
      if (!/^multipart\/form-data *;/i.test(contentType)) return yield* new UnsupportedContentType({ contentType })
      return yield* created(yield* form.receive(user, request.headers, lengthOf(request), bodyOf(request)))
    })

    const create = Effect.gen(function* () {
      const request = yield* HttpServerRequest
      const user = yield* userOf(request)
      const id = yield* resumable.newId
      return yield* body.read(request, id, (input, files) =>
        Effect.gen(function* () {
          const read = yield* readResumableUpload(input, request.headers)
          const begun = yield* resumable.create(user, read.fields, read.announced, id, files)
          return announced(request, settings.host, begun)
        })
      )
    })

    const put = Effect.gen(function* () {
      const request = yield* HttpServerRequest
      const user = yield* userOf(request)
      const { body, length, range } = yield* chunkOf(request)
      return yield* progress(yield* resumable.put(user, uploadIdOf(request), range, length, body))
    })

    const cancel = Effect.gen(function* () {
      const request = yield* HttpServerRequest
      const user = yield* userOf(request)
      yield* resumable.cancel(user, uploadIdOf(request))
      return HttpServerResponse.empty({ status: 204, headers: noStore })
    })

    yield* router.addAll([
      withOperation(HttpRouter.route("POST", "/api/v1/videos/upload", answer(uploadForm)), endpoints.uploadLegacy),
      withOperation(HttpRouter.route("POST", resumablePath, answer(create)), endpoints.uploadResumableInit),
      withOperation(HttpRouter.route("PUT", resumablePath, answer(put)), endpoints.uploadResumable),
      withOperation(HttpRouter.route("DELETE", resumablePath, answer(cancel)), endpoints.uploadResumableCancel)
    ])
  })
)
