import { NodeServices } from "@effect/platform-node"
import { Api } from "@kinora/domain/api/Api"
import { Pictures } from "@kinora/media/images/Pictures"
import { YtDlp } from "@kinora/media/ytdlp/YtDlp"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { JobUpkeep } from "@kinora/storage/platform/jobs/JobUpkeep"
import { layer as diskObjectStore } from "@kinora/storage/platform/objects/DiskObjectStore"
import type { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { Removals } from "@kinora/storage/platform/objects/Removals"
import { type Bucket, buckets } from "@kinora/storage/platform/objects/ObjectKey"
import { prepareReadModels } from "@kinora/storage/video/read/ReadModelVersion"
import { VideoDeletion } from "@kinora/storage/video/write/VideoDeletion"
import { type Config, Effect, FileSystem, Layer, Option } from "effect"
import { HttpServer } from "effect/http"
import type { SqlClient } from "effect/sql/SqlClient"
import { TestDatabase } from "../../../../storage/test/support/TestDatabase.ts"
import { KinoraConfig, type Overrides } from "../../../src/platform/config/Config.ts"
import { DiscoveryRoutes } from "../../../src/instance/discovery/DiscoveryRoutes.ts"
import { FrameCapture } from "../../../src/video/edit/FrameCapture.ts"
import { ClusterLayer } from "../../../src/platform/cluster/ClusterLayer.ts"
import { FederationServices } from "../../../src/federation/services/FederationServices.ts"
import { FileRoutes } from "../../../src/video/file/FileRoutes.ts"
import { ServedBucket } from "../../../src/video/file/ServedBucket.ts"
import { fetchServices } from "../../../src/federation/fetch/FetchServices.ts"
import { layerApi } from "../../../src/platform/http/ApiRoutes.ts"
import { ByteServing } from "../../../src/platform/http/ByteServing.ts"
import { defaultHttpOptions } from "../../../src/platform/http/DefaultHttpOptions.ts"
import { layerMemoryServices, layerServe } from "../../../src/platform/http/HttpServerLayer.ts"
import { ApiHandlers } from "../../../src/app/api/ApiHandlers.ts"
import { layer as firstStart } from "../../../src/instance/about/FirstStart.ts"
import { Thumbnails } from "@kinora/media/images/Thumbnails"
import { LivePackager } from "@kinora/media/live/LivePackager"
import { RemuxToFlv } from "@kinora/media/live/RemuxToFlv"
import { Probe } from "@kinora/media/probe/Probe"
import { LiveRuns } from "../../../src/live/session/LiveRuns.ts"
import { liveDoors, LiveServices } from "../../../src/live/services/LiveServices.ts"
import { LiveParts } from "../../../src/video/file/LiveParts.ts"
import { LivePlaylists } from "../../../src/video/file/LivePlaylists.ts"
import { ImportServices } from "../../../src/video/import/ImportServices.ts"
import { InstanceServices } from "../../../src/instance/about/InstanceServices.ts"
import { AuditTrail } from "../../../src/platform/audit/AuditTrail.ts"
import { Supervisor } from "../../../src/platform/supervision/Supervisor.ts"
import { SyncServices } from "../../../src/video/sync/SyncServices.ts"
import { PeopleServices } from "../../../src/app/PeopleServices.ts"
import { VideoServices } from "../../../src/app/VideoServices.ts"

export const rootPassword = "a password for tests"

export const testOptions = { ...defaultHttpOptions, port: 0, rateLimits: {} }

const temporaryFolder = Effect.flatMap(FileSystem.FileSystem, (fs) =>
  fs.makeTempDirectoryScoped({ prefix: "kinora-tmp-" })
)

const objectStore = Layer.unwrap(
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const root = yield* fs.makeTempDirectoryScoped({ prefix: "kinora-objects-" })
    const directories = Object.fromEntries(buckets.map((bucket) => [bucket, `${root}/${bucket}`]))
    for (const directory of Object.values(directories)) yield* fs.makeDirectory(directory)
    return diskObjectStore({ directories: directories as Record<Bucket, string> })
  })
).pipe(Layer.provideMerge(NodeServices.layer), Layer.orDie)

/** Migrated, and told the public address, as `kinora serve` does before anything else. */
const database = Layer.effectDiscard(Effect.orDie(prepareReadModels("http://localhost:9000"))).pipe(
  Layer.provideMerge(TestDatabase)
)

/** Reaches this machine and nothing else. */
export const loopbackFetching = fetchServices({ addresses: "loopback" })

/** Most tests need no media tools, which take their time to be found; one that does brings its own layer. */
const withoutTools: Layer.Layer<FrameCapture, Config.ConfigError, ObjectStore | SqlClient> = Layer.succeed(
  FrameCapture
)({
  make: () => Effect.die(new Error("this test has no media tools"))
})

/** Synchronisations are set up where yt-dlp is: here, unless the configuration names one. Nothing is asked of it. */
const toldOfYtDlp = Layer.effect(
  YtDlp,
  Effect.map(KinoraConfig, ({ ytdlp }) => {
    const unused = () => Effect.die(new Error("this test has no yt-dlp"))
    const version = ytdlp.path === null ? Option.some("2023.03.04") : Option.none()
    return YtDlp.of({ version: Effect.succeed(version), describe: unused, download: unused, list: unused })
  })
)

/** Lives can be created and read; nobody publishes them. */
const unpublishedLives = LiveServices.pipe(
  Layer.provide(Layer.succeed(LiveRuns)({ start: () => Effect.die(new Error("this test has no media tools")) })),
  Layer.provideMerge(liveDoors),
  Layer.provide(
    Layer.mergeAll(
      Layer.succeed(Thumbnails)({
        fromVideo: () => Effect.die(new Error("this test has no media tools")),
        fromPicture: () => Effect.die(new Error("this test has no media tools"))
      }),
      Layer.succeed(LivePackager)({ start: () => Effect.die(new Error("this test has no media tools")) }),
      Layer.succeed(RemuxToFlv)({ start: () => Effect.die(new Error("this test has no media tools")) }),
      Layer.succeed(Probe)({
        probe: () => Effect.die(new Error("this test has no media tools")),
        describe: () => Effect.die(new Error("this test has no media tools"))
      })
    )
  )
)

/** Everything `testNode` stands on, for nodes that answer more than it does. */
export const testServices = (overrides: Overrides = {}, fetching = loopbackFetching, moments = withoutTools) => {
  const config = Layer.unwrap(
    Effect.map(temporaryFolder, (tmp) =>
      KinoraConfig.layerTest({
        root: { password: rootPassword },
        secrets: { peertube: "a secret of the tests, long enough" },
        storage: { tmp, tmp_persistent: `${tmp}/persistent` },
        ...overrides
      })
    )
  ).pipe(Layer.provide(NodeServices.layer), Layer.orDie)
  const base = Layer.mergeAll(
    config,
    objectStore,
    Pictures.layer.pipe(Layer.provide(NodeServices.layer)),
    layerMemoryServices(testOptions),
    Supervisor.layer
  ).pipe(Layer.provideMerge(AuditTrail.layer), Layer.provideMerge(database))
  const services = ServedBucket.layer.pipe(
    Layer.provideMerge(SyncServices.pipe(Layer.provide(toldOfYtDlp))),
    Layer.provideMerge(ImportServices),
    Layer.provideMerge(unpublishedLives),
    Layer.provideMerge(VideoServices),
    Layer.provideMerge(moments),
    Layer.provideMerge(PeopleServices),
    Layer.provideMerge(FederationServices.pipe(Layer.provideMerge(ClusterLayer))),
    Layer.provideMerge(
      Layer.mergeAll(
        InstanceServices,
        fetching,
        ByteServing.layer,
        JobBoard.layer,
        LivePlaylists.layer,
        LiveParts.layer,
        JobUpkeep.layer,
        Removals.layer,
        VideoDeletion.layer
      )
    ),
    Layer.provideMerge(base)
  )
  return firstStart.pipe(Layer.provideMerge(services))
}

/** What `testNode` answers. */
export const testRoutes = Layer.mergeAll(layerApi(Api).pipe(Layer.provide(ApiHandlers)), DiscoveryRoutes, FileRoutes)

/**
 * A node that answers reads, logins, files and discovery over a real database and folders of its own, set up with
 * `rootPassword`. Nothing is limited and nothing is processed.
 */
export const testNode = (overrides: Overrides = {}) =>
  layerServe(testRoutes, testOptions).pipe(Layer.provideMerge(testServices(overrides)))

/** Address of the server the suite runs. */
export const baseUrl = Effect.gen(function* () {
  const server = yield* HttpServer.HttpServer
  return "port" in server.address ? `http://127.0.0.1:${server.address.port}` : yield* Effect.die("no port")
})
