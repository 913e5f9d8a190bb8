import { UserExportLinkRefused } from "@kinora/domain/errors/ArchiveErrors"
import { userExportObject } from "@kinora/storage/archive/export/UserExportRows"
import { Effect, Layer } from "effect"
import { HttpRouter, type HttpServerRequest } from "effect/http"
import { answer } from "../../platform/http/Answer.ts"
import { cachePolicies } from "../../platform/http/ByteServing.ts"
import { attachment, savedName } from "../../video/download/Attachment.ts"
import { DownloadPace } from "../../video/download/DownloadPace.ts"
import { SavedFiles } from "../../video/download/SavedFiles.ts"
import { UserExports } from "./UserExports.ts"

const exportName = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.zip$/

/** `GET /download/user-exports/{name}`: downloads an archive by its signed link. */
export const UserExportDownload = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const exports = yield* UserExports
    const files = yield* SavedFiles

    const userExport = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const { name = "" } = yield* HttpRouter.params
      const [, uuid] = exportName.exec(name) ?? []
      const token = new URL(request.url, "http://localhost").searchParams.get("jwt") ?? ""
      if (uuid === undefined) return yield* new UserExportLinkRefused()
      const { createdAt, username } = yield* exports.open(uuid, token)
      return yield* files.serve(request, userExportObject(uuid), {
        contentType: "application/zip",
        contentDisposition: attachment(savedName(username, `-${createdAt.slice(0, 10)}.zip`)),
        cacheControl: cachePolicies.private
      })
    })

    yield* router.add("GET", "/download/user-exports/:name", (request) => answer(userExport(request)))
  })
).pipe(Layer.provide(SavedFiles.layer), Layer.provide(DownloadPace.layer))
