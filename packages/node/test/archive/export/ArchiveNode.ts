import { NodeServices } from "@effect/platform-node"
import { Media } from "@kinora/media/Media"
import { VideoPublication } from "@kinora/storage/video/write/VideoPublication"
import { Effect, Layer } from "effect"
import type { Overrides } from "../../../src/platform/config/Config.ts"
import { UserExportDownload } from "../../../src/archive/export/UserExportDownload.ts"
import { DownloadRoutes } from "../../../src/video/download/DownloadRoutes.ts"
import { layerServe } from "../../../src/platform/http/HttpServerLayer.ts"
import { ProcessingSettings } from "../../../src/video/process/ProcessingSettings.ts"
import { SourceFiles } from "../../../src/video/process/SourceFiles.ts"
import { UploadDisk } from "../../../src/video/staging/UploadDisk.ts"
import { uploadServices } from "../../../src/video/upload/UploadLayer.ts"
import { uploadRoutes } from "../../../src/video/upload/UploadRoutes.ts"
import { UploadSettings } from "../../../src/video/staging/UploadSettings.ts"
import { userExportWorker } from "../../../src/archive/export/UserExportServices.ts"
import { userImportRoutes } from "../../../src/archive/import/UserImportRoutes.ts"
import { UserImportServices, userImportWorker } from "../../../src/archive/import/UserImportServices.ts"
import { type Answer, bearer, send } from "../../instance/about/Client.ts"
import { testOptions, testRoutes, testServices } from "../../instance/about/TestNode.ts"
import { People } from "../../video/list/People.ts"

/** A node with people that takes uploads and archives, and whose exports and imports run when they are told to. */
export const archiveNode = (overrides: Overrides = {}) => {
  const foundation = Layer.mergeAll(UploadSettings.layer, ProcessingSettings.layer, VideoPublication.layer).pipe(
    Layer.provideMerge(testServices(overrides)),
    Layer.provideMerge(Media.layer.pipe(Layer.provideMerge(NodeServices.layer)))
  )
  const services = Layer.mergeAll(userExportWorker, userImportWorker, UserImportServices).pipe(
    Layer.provideMerge(uploadServices),
    Layer.provideMerge(SourceFiles.layer.pipe(Layer.provideMerge(UploadDisk.layer))),
    Layer.provideMerge(foundation)
  )
  const routes = Layer.mergeAll(testRoutes, uploadRoutes, userImportRoutes, DownloadRoutes, UserExportDownload)
  return People.layer.pipe(Layer.provideMerge(layerServe(routes, testOptions)), Layer.provideMerge(services))
}

export const json = (token: string, body: unknown): RequestInit => ({
  method: "POST",
  headers: { ...bearer(token).headers, "content-type": "application/json" },
  body: JSON.stringify(body)
})

export const myId = (token: string) =>
  Effect.map(send("/api/v1/users/me", bearer(token)), (answer) => answer.json.id as number)

const importPath = (userId: number) => `/api/v1/users/${userId}/imports/import-resumable`

/** Announces an archive of this size. */
export const announceArchive = (token: string, userId: number, size: number) =>
  send(importPath(userId), {
    ...json(token, { filename: "mine.zip" }),
    headers: {
      ...bearer(token).headers,
      "content-type": "application/json",
      "x-upload-content-length": String(size),
      "x-upload-content-type": "application/zip"
    }
  })

/** Path and query that an announcement was answered with. */
export const addressOf = ({ headers }: Answer): string => {
  const { pathname, search } = new URL(headers.get("location") ?? "", "http://localhost")
  return pathname + search
}

/** Sends some of the bytes to the address. */
export const sendChunk = (token: string, address: string, bytes: Buffer, start = 0, end = bytes.length) =>
  send(address, {
    method: "PUT",
    headers: {
      ...bearer(token).headers,
      "content-type": "application/octet-stream",
      "content-range": `bytes ${start}-${end - 1}/${bytes.length}`
    },
    body: new Uint8Array(bytes.subarray(start, end))
  })

/** Brings an archive in one piece; gives the last answer. */
export const bringArchive = Effect.fnUntraced(function* (token: string, userId: number, bytes: Buffer) {
  const announced = yield* announceArchive(token, userId, bytes.length)
  return announced.status === 201 ? yield* sendChunk(token, addressOf(announced), bytes) : announced
})
