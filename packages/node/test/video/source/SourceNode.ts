import { diskPath } from "../../../../storage/test/support/objects/DiskPath.ts"
import { NodeServices } from "@effect/platform-node"
import { defaultCodecs } from "@kinora/media/ladder/VideoCodec"
import { Media } from "@kinora/media/Media"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { Removals } from "@kinora/storage/platform/objects/Removals"
import { VideoPublication } from "@kinora/storage/video/write/VideoPublication"
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Overrides } from "../../../src/platform/config/Config.ts"
import { layerServe } from "../../../src/platform/http/HttpServerLayer.ts"
import { processingServices } from "../../../src/app/ProcessingLayer.ts"
import { ProcessingSettings, type ProcessingSettingsShape } from "../../../src/video/process/ProcessingSettings.ts"
import { SourceFiles } from "../../../src/video/process/SourceFiles.ts"
import { sourceUploadRoutes } from "../../../src/video/source/SourceUploadRoutes.ts"
import { UploadDisk } from "../../../src/video/staging/UploadDisk.ts"
import { uploadServices } from "../../../src/video/upload/UploadLayer.ts"
import { uploadRoutes } from "../../../src/video/upload/UploadRoutes.ts"
import { uploadLimits, UploadSettings } from "../../../src/video/staging/UploadSettings.ts"
import { type Answer, bearer, send } from "../../instance/about/Client.ts"
import { testOptions, testRoutes, testServices } from "../../instance/about/TestNode.ts"
import { TestFolder, type TestUser } from "../upload/UploadNode.ts"

const mebibyte = 1024 ** 2

/** The folder that holds those of the object store. */
const folder = Layer.effect(
  TestFolder,
  Effect.flatMap(ObjectStore, (objects) =>
    Effect.map(diskPath(objects, { bucket: "thumbnails", name: "x" }), (path) => dirname(dirname(path)))
  )
)

const settings = (processing: Partial<ProcessingSettingsShape>) =>
  Layer.unwrap(
    Effect.map(TestFolder, (root) =>
      Layer.merge(
        Layer.succeed(UploadSettings, {
          ...uploadLimits,
          holder: { node: "test", run: "now" },
          directory: join(root, "incoming"),
          origin: "http://localhost:9000",
          host: "localhost:9000",
          maxFileSize: mebibyte,
          reserveDisk: 0,
          expiration: Duration.hours(1),
          transcoding: true,
          additionalExtensions: true,
          audioFiles: true,
          reviewsNewVideos: false,
          defaults: { privacy: 1, licence: null, commentsPolicy: 1, downloadEnabled: true }
        }),
        Layer.succeed(ProcessingSettings, {
          origin: "http://localhost:9000",
          workDirectory: join(root, "work"),
          owner: "test",
          transcoding: true,
          remoteRunners: false,
          remoteStoryboards: processing.remoteRunners === true,
          concurrency: 1,
          resolutions: [144],
          alwaysTranscodeOriginalResolution: true,
          maxFps: 60,
          codecs: defaultCodecs,
          webVideos: true,
          hls: true,
          splitAudio: false,
          keepOriginal: false,
          storyboards: true,
          framesToAnalyze: 5,
          ...processing
        })
      )
    )
  )

/** A node that answers the API and takes uploads, and whose jobs run when they are told to. */
export const sourceNode = (options: {
  readonly config?: Overrides
  readonly processing?: Partial<ProcessingSettingsShape>
}) => {
  const foundation = settings(options.processing ?? {}).pipe(
    Layer.provideMerge(folder),
    Layer.provideMerge(testServices(options.config)),
    Layer.provideMerge(Media.layer.pipe(Layer.provideMerge(NodeServices.layer)))
  )
  const services = Layer.mergeAll(uploadServices, processingServices).pipe(
    Layer.provideMerge(SourceFiles.layer.pipe(Layer.provideMerge(UploadDisk.layer))),
    Layer.provideMerge(Layer.merge(VideoPublication.layer, Removals.layer)),
    Layer.provideMerge(foundation)
  )
  return layerServe(Layer.mergeAll(testRoutes, uploadRoutes, sourceUploadRoutes), testOptions).pipe(
    Layer.provideMerge(services)
  )
}

/** Gives somebody another role: 0 administrator, 1 moderator, 2 user. */
export const promote = Effect.fnUntraced(function* (who: TestUser, role: number) {
  const sql = yield* SqlClient
  yield* sql`update app_user set role = ${role} where id = ${who.user.id}`
})

const pathOf = (id: number | string) => `/api/v1/videos/${id}/source/replace-resumable`

/** Announces a file of this size as another source. */
export const announce = (
  who: TestUser,
  id: number | string,
  size: number,
  { filename = "again.mp4", type = "video/mp4" } = {}
) =>
  send(pathOf(id), {
    method: "POST",
    headers: {
      ...bearer(who.token).headers,
      "content-type": "application/json",
      "x-upload-content-length": String(size),
      "x-upload-content-type": type
    },
    body: JSON.stringify({ filename })
  })

/** The address that an announcement was answered with. */
export const addressOf = ({ headers }: Answer): string =>
  (headers.get("location") ?? "").slice("//localhost:9000".length)

/** Sends some of the bytes to the address. */
export const chunk = (who: TestUser, address: string, bytes: Buffer, start = 0, end = bytes.length) =>
  send(address, {
    method: "PUT",
    headers: {
      ...bearer(who.token).headers,
      "content-type": "application/octet-stream",
      "content-range": `bytes ${start}-${end - 1}/${bytes.length}`
    },
    body: new Uint8Array(bytes.subarray(start, end))
  })

/** Replaces the source of a video by a file, all of it at once; gives the last answer. */
export const replaceBy = Effect.fnUntraced(function* (who: TestUser, id: number | string, path: string) {
  const bytes = readFileSync(path)
  const filename = `again${path.slice(path.lastIndexOf("."))}`
  const announced = yield* announce(who, id, bytes.length, { filename })
  return announced.status === 201 ? yield* chunk(who, addressOf(announced), bytes) : announced
})

/** Names of a video's files by kind, as the API tells them. */
export const filesOf = Effect.fnUntraced(function* (who: TestUser, id: number | string) {
  const { json } = yield* send(`/api/v1/videos/${id}`, bearer(who.token))
  const names = (files: ReadonlyArray<{ readonly fileUrl: string }>) =>
    files.map(({ fileUrl }) => new URL(fileUrl).pathname).toSorted()
  return {
    details: json,
    web: names(json.files),
    hls: names(json.streamingPlaylists.flatMap((one: { files: ReadonlyArray<{ fileUrl: string }> }) => one.files))
  }
})
