import { AuditTrail } from "../../../src/platform/audit/AuditTrail.ts"
import { VideoActs } from "../../../src/video/list/VideoActs.ts"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { hash, randomBytes } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { defaultCodecs } from "@kinora/media/ladder/VideoCodec"
import { Media } from "@kinora/media/Media"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { JobUpkeep } from "@kinora/storage/platform/jobs/JobUpkeep"
import { layer as diskObjectStore } from "@kinora/storage/platform/objects/DiskObjectStore"
import { type Bucket, buckets } from "@kinora/storage/platform/objects/ObjectKey"
import { Removals } from "@kinora/storage/platform/objects/Removals"
import { RunnerResultObjects } from "@kinora/storage/runner/RunnerResultObjects"
import { TokenRows } from "@kinora/storage/people/session/TokenRows"
import { VideoDeletion } from "@kinora/storage/video/write/VideoDeletion"
import { VideoPublication } from "@kinora/storage/video/write/VideoPublication"
import { Context, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestDatabase } from "../../../../storage/test/support/TestDatabase.ts"
import { filesBelow } from "../../support/InstanceFiles.ts"
import { defaultHttpOptions } from "../../../src/platform/http/DefaultHttpOptions.ts"
import { layerMemoryServices, layerServe } from "../../../src/platform/http/HttpServerLayer.ts"
import { processingServices, type publishesAtOnce } from "../../../src/app/ProcessingLayer.ts"
import { ProcessingSettings, type ProcessingSettingsShape } from "../../../src/video/process/ProcessingSettings.ts"
import { PartFiles } from "../../../src/runner/parts/PartFiles.ts"
import { RunnerResults } from "../../../src/runner/job/RunnerResults.ts"
import { runnerJobRows } from "../../../src/runner/RunnerServices.ts"
import { SourceFiles } from "../../../src/video/process/SourceFiles.ts"
import { AccessTokens } from "../../../src/people/session/AccessTokens.ts"
import { UploadDisk } from "../../../src/video/staging/UploadDisk.ts"
import { uploadServices } from "../../../src/video/upload/UploadLayer.ts"
import { uploadRoutes } from "../../../src/video/upload/UploadRoutes.ts"
import { uploadLimits, UploadSettings, type UploadSettingsShape } from "../../../src/video/staging/UploadSettings.ts"

const gibibyte = 1024 ** 3

/** The folder of everything the test node writes. */
export class TestFolder extends Context.Service<TestFolder, string>()("test/TestFolder") {
  static readonly layer = Layer.effect(
    TestFolder,
    Effect.acquireRelease(
      Effect.promise(() => mkdtemp(join(tmpdir(), "kinora-upload-"))),
      (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
    )
  )
}

export interface TestSettings {
  readonly uploads?: Partial<UploadSettingsShape>
  readonly processing?: Partial<ProcessingSettingsShape>
  /** Where uploads go in place of the test's folder. */
  readonly uploadsDirectory?: string
  /** What publishes uploads in the transaction that makes them videos. Absent: as where no worker runs. */
  readonly atOnce?: typeof publishesAtOnce
}

const settings = (options: TestSettings) =>
  Layer.unwrap(
    Effect.map(TestFolder, (folder) => {
      const directories = Object.fromEntries(buckets.map((bucket) => [bucket, join(folder, bucket)]))
      return Layer.mergeAll(
        diskObjectStore({ directories: directories as Record<Bucket, string> }),
        Layer.succeed(UploadSettings, {
          ...uploadLimits,
          holder: { node: "test", run: "now" },
          directory: options.uploadsDirectory ?? join(folder, "incoming"),
          origin: "http://localhost:9000",
          host: "localhost:9000",
          maxFileSize: gibibyte,
          reserveDisk: 0,
          expiration: Duration.hours(1),
          transcoding: true,
          additionalExtensions: true,
          audioFiles: true,
          reviewsNewVideos: false,
          defaults: { privacy: 1, licence: null, commentsPolicy: 1, downloadEnabled: true },
          ...options.uploads
        }),
        Layer.succeed(ProcessingSettings, {
          origin: "http://localhost:9000",
          workDirectory: join(folder, "work"),
          owner: "test",
          transcoding: true,
          remoteRunners: false,
          remoteStoryboards: options.processing?.remoteRunners === true,
          concurrency: 1,
          resolutions: [240],
          alwaysTranscodeOriginalResolution: true,
          maxFps: 60,
          codecs: defaultCodecs,
          webVideos: true,
          hls: true,
          splitAudio: false,
          keepOriginal: false,
          storyboards: true,
          framesToAnalyze: 5,
          ...options.processing
        })
      )
    })
  )

/** Uploads and processing over a real database, disk and tools, without anything that runs by itself. */
export const uploadNode = (options: TestSettings = {}) => {
  const base = settings(options).pipe(
    Layer.provideMerge(TestFolder.layer),
    Layer.provideMerge(TestDatabase),
    Layer.provideMerge(Media.layer.pipe(Layer.provideMerge(NodeServices.layer)))
  )
  const board = Layer.mergeAll(
    JobBoard.layer,
    JobUpkeep.layer,
    Removals.layer,
    VideoDeletion.layer,
    VideoActs.layer.pipe(Layer.provide(AuditTrail.layer))
  )
  const publication = VideoPublication.layer.pipe(Layer.provideMerge(board))
  const sources = SourceFiles.layer.pipe(Layer.provideMerge(UploadDisk.layer))
  const uploads = options.atOnce === undefined ? uploadServices : uploadServices.pipe(Layer.provide(options.atOnce))
  return Layer.mergeAll(uploads, processingServices).pipe(
    Layer.provideMerge(sources),
    Layer.provideMerge(publication),
    Layer.provideMerge(
      Layer.merge(PartFiles.layer, RunnerResults.layer.pipe(Layer.provide(RunnerResultObjects.layer))).pipe(
        Layer.provideMerge(runnerJobRows)
      )
    ),
    Layer.provideMerge(base)
  )
}

const httpOptions = { ...defaultHttpOptions, port: 0, rateLimits: {} }

/** The same, with the upload routes behind the whole HTTP server on a free port. */
export const uploadServer = (options: TestSettings = {}) =>
  layerServe(uploadRoutes, httpOptions).pipe(
    Layer.provide(layerMemoryServices(httpOptions)),
    Layer.provide(AccessTokens.layer.pipe(Layer.provide(TokenRows.layer))),
    Layer.provideMerge(uploadNode(options))
  )

export interface TestUser {
  readonly user: CurrentUserShape
  readonly channelId: number
  readonly token: string
}

/** A user with a channel and an access token. Quotas in bytes. */
export const newUser = Effect.fn("newUser")(function* (name: string, quota = -1, quotaDaily = -1) {
  const sql = yield* SqlClient
  const token = randomBytes(20).toString("hex")
  const actor = (type: string, username: string) =>
    sql<{ id: number }>`
      insert into actor (type, preferred_username, url, inbox_url, public_key, private_key)
      values (${type}, ${username}, ${`http://localhost:9000/${username}`}, 'x', 'x', 'x') returning id
    `
  const [user] = yield* sql<{ id: number }>`
    insert into app_user (username, email, password_hash, role, video_quota, video_quota_daily)
    values (${name}, ${`${name}@example.com`}, 'x', 2, ${quota}, ${quotaDaily}) returning id
  `
  const [accountActor] = yield* actor("Person", name)
  const [channelActor] = yield* actor("Group", `${name}_channel`)
  const [account] = yield* sql<{ id: number }>`
    insert into account (actor_id, user_id, display_name) values (${accountActor!.id}, ${user!.id}, ${name}) returning id
  `
  const [channel] = yield* sql<{ id: number }>`
    insert into video_channel (actor_id, account_id, display_name)
    values (${channelActor!.id}, ${account!.id}, ${name}) returning id
  `
  const [client] = yield* sql<{ id: number }>`
    insert into oauth_client (client_id, client_secret, grants)
    values (${randomBytes(16).toString("hex")}, ${randomBytes(16).toString("hex")}, '{password}') returning id
  `
  const [session] = yield* sql<{ id: number }>`
    insert into oauth_token (
      access_token_hash, access_expires_at, refresh_token_hash, refresh_expires_at, oauth_client_id, user_id
    ) values (
      ${hash("sha256", token, "buffer")}, now() + interval '1 hour', ${randomBytes(32)}, now() + interval '1 hour',
      ${client!.id}, ${user!.id}
    ) returning id
  `
  return {
    token,
    channelId: channel!.id,
    user: {
      id: user!.id,
      username: name,
      role: 2,
      adminFlags: 0,
      accountId: account!.id,
      accountName: name,
      videoQuota: quota,
      videoQuotaDaily: quotaDaily,
      nsfw: { policy: null, flagsHidden: 0, flagsListed: 0 },
      tokenId: session!.id
    } as unknown as CurrentUserShape
  } satisfies TestUser
})

/** Every file below the test's folder, relative to it. */
export const filesLeft = Effect.map(TestFolder, filesBelow)
