import { UserImportRoutes } from "@kinora/domain/api/UserImportRoutes"
import { UnauthorizedRequest } from "@kinora/domain/errors/AuthErrors"
import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import { decodeArchiveAnnouncement } from "@kinora/domain/requests/ArchiveRequests"
import { rowId } from "@kinora/domain/requests/UserFields"
import { Effect, Option } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { answer, json } from "../../platform/http/Answer.ts"
import { withOperation } from "../../platform/http/Operation.ts"
import { AccessTokens } from "../../people/session/AccessTokens.ts"
import { viewerOf } from "../../people/session/AuthenticationLayer.ts"
import { CreateBody } from "../../video/upload/CreateBody.ts"
import { announced, chunkOf, incomplete, noStore, uploadIdOf } from "../../video/upload/ResumableHttp.ts"
import { readAnnounced } from "../../video/upload/UploadFields.ts"
import { newUploadId } from "../../platform/ids/DerivedIds.ts"
import { UploadSettings } from "../../video/staging/UploadSettings.ts"
import { UserImportReads } from "./UserImportReads.ts"
import { UserImportUploads } from "./UserImportUploads.ts"

const path = "/api/v1/users/:userId/imports/import-resumable"
const endpoints = UserImportRoutes.endpoints as unknown as Record<
  keyof typeof UserImportRoutes.endpoints,
  HttpApiEndpoint.Top
>

const user = rowId("a user")
/** The name of an archive when the client sends none. */
const unnamed = "archive.zip"

/**
 * `POST`, `PUT`, `GET` and `DELETE /users/{userId}/imports/import-resumable` (contract: userImportResumableInit and the
 * following operations). Raw routes: bodies are streamed. A client that may not act for the user is refused before its
 * body is read.
 */
export const userImportRoutes = HttpRouter.use(
  Effect.fn(function* (router) {
    const tokens = yield* AccessTokens
    const reads = yield* UserImportReads
    const uploads = yield* UserImportUploads
    const body = yield* CreateBody
    const settings = yield* UploadSettings

    const asked = Effect.gen(function* () {
      const request = yield* HttpServerRequest
      const viewer = yield* viewerOf(tokens, request)
      if (Option.isNone(viewer)) return yield* new UnauthorizedRequest()
      const { userId: given = "" } = yield* HttpRouter.params
      const userId = user.parse(given)
      if (userId === undefined) {
        return yield* InvalidParameters.one("userId", user.message, "params", given.slice(0, 100))
      }
      yield* reads.decide(viewer.value, userId)
      return { request, asker: viewer.value, userId }
    })

    const create = Effect.gen(function* () {
      const { asker, request, userId } = yield* asked
      const id = newUploadId()
      return yield* body.read(request, id, (input) =>
        Effect.gen(function* () {
          const read = yield* readAnnounced(input, request.headers, decodeArchiveAnnouncement)
          yield* uploads.create(asker, userId, read.fields.filename ?? unnamed, read.announced, id)
          return announced(request, settings.host, id)
        })
      )
    })

    const put = Effect.gen(function* () {
      const { asker, request, userId } = yield* asked
      const progress = yield* uploads.put(asker, userId, uploadIdOf(request), yield* chunkOf(request))
      return progress._tag === "Finished" ? json({ userImport: { id: progress.video.id } }) : incomplete(progress)
    })

    const status = Effect.gen(function* () {
      const { asker, request, userId } = yield* asked
      const id = uploadIdOf(request)
      return incomplete({ received: id === "" ? 0 : yield* uploads.received(asker, userId, id) })
    })

    const cancel = Effect.gen(function* () {
      const { asker, request, userId } = yield* asked
      yield* uploads.cancel(asker, userId, uploadIdOf(request))
      return HttpServerResponse.empty({ status: 204, headers: noStore })
    })

    yield* router.addAll([
      withOperation(HttpRouter.route("POST", path, answer(create)), endpoints.userImportResumableInit),
      withOperation(HttpRouter.route("PUT", path, answer(put)), endpoints.userImportResumable),
      withOperation(HttpRouter.route("GET", path, answer(status)), endpoints.userImportResumableStatus),
      withOperation(HttpRouter.route("DELETE", path, answer(cancel)), endpoints.userImportResumableCancel)
    ])
  })
)
