import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { SharedCounts } from "@kinora/storage/platform/limits/SharedCounts"
import { JobUpkeep } from "@kinora/storage/platform/jobs/JobUpkeep"
import { VideoDeletion } from "@kinora/storage/video/write/VideoDeletion"
import { ProcessingVideos } from "@kinora/storage/video/write/ProcessingVideos"
import { VideoPublication } from "@kinora/storage/video/write/VideoPublication"
import { Duration, Effect, Layer, Option, Redacted } from "effect"
import { KinoraConfig } from "../platform/config/Config.ts"
import { ConfiguredCluster } from "../platform/cluster/ConfiguredCluster.ts"
import { AuditTrail } from "../platform/audit/AuditTrail.ts"
import { ByteServing } from "../platform/http/ByteServing.ts"
import { defaultHttpOptions } from "../platform/http/DefaultHttpOptions.ts"
import { HttpMetrics } from "../platform/http/HttpMetrics.ts"
import { layerRedisStore } from "../platform/http/RateLimitRedis.ts"
import { layerClusterStore } from "../platform/limits/RateLimitCluster.ts"
import { RateLimitStore } from "../platform/http/RateLimitStore.ts"
import { layer as FirstStart } from "../instance/about/FirstStart.ts"
import { FrameCapture } from "../video/edit/FrameCapture.ts"
import { FederationServices } from "../federation/services/FederationServices.ts"
import { fetchServices } from "../federation/fetch/FetchServices.ts"
import { ImportServices } from "../video/import/ImportServices.ts"
import { Appearance } from "../instance/appearance/Appearance.ts"
import { CustomSettings } from "../instance/settings/CustomSettings.ts"
import { InstanceServices } from "../instance/about/InstanceServices.ts"
import { liveDoors, LiveServices } from "../live/services/LiveServices.ts"
import { liveFilesElsewhere } from "../live/elsewhere/LiveFilesElsewhere.ts"
import { remoteRuns } from "../runner/live/RemoteRuns.ts"
import { LiveParts } from "../video/file/LiveParts.ts"
import { LivePlaylists } from "../video/file/LivePlaylists.ts"
import { ServedBucket } from "../video/file/ServedBucket.ts"
import { ProcessingSettings } from "../video/process/ProcessingSettings.ts"
import { SourceOf } from "../video/process/SourceOf.ts"
import { SourceFiles } from "../video/process/SourceFiles.ts"
import { SyncServices } from "../video/sync/SyncServices.ts"
import { UserImportServices } from "../archive/import/UserImportServices.ts"
import { FirstFilesWait } from "../video/upload/FirstFiles.ts"
import { uploadServices } from "../video/upload/UploadLayer.ts"
import { UploadDisk } from "../video/staging/UploadDisk.ts"
import { UploadSettings } from "../video/staging/UploadSettings.ts"
import { PeopleServices } from "./PeopleServices.ts"
import { VideoServices } from "./VideoServices.ts"
import { DatabaseServices } from "./DatabaseServices.ts"
import { publishesAtOnce } from "./ProcessingLayer.ts"
import { MediaServices } from "./MediaServices.ts"
import { ObjectServices } from "./ObjectServices.ts"

const jobs = Layer.mergeAll(JobBoard.layer, JobUpkeep.layer)

const videoWrites = Layer.mergeAll(VideoPublication.layer, VideoDeletion.layer)

const foundation = Layer.mergeAll(ObjectServices, jobs, AuditTrail.layer, ConfiguredCluster).pipe(
  Layer.provideMerge(DatabaseServices)
)

/** Counts of limits: shared through Redis when the configuration names one, else through the cluster if there is one. */
const rateLimits = Layer.unwrap(
  Effect.map(KinoraConfig, ({ cluster, derived }) => {
    const { rateLimitClients: clients } = defaultHttpOptions
    const withoutRedis = cluster.enabled
      ? layerClusterStore(clients).pipe(Layer.provide(SharedCounts.layer))
      : RateLimitStore.layerMemory(clients)
    return Option.match(derived.redisUrl, {
      onNone: () => withoutRedis,
      onSome: (url) =>
        Layer.unwrap(
          Effect.map(RateLimitStore, (fallback) => layerRedisStore({ url: Redacted.value(url), fallback }))
        ).pipe(Layer.provide(withoutRedis))
    })
  })
).pipe(Layer.provide(foundation))

const people = PeopleServices.pipe(Layer.provideMerge(InstanceServices))

const files = Layer.mergeAll(ServedBucket.layer, SourceFiles.layer, LivePlaylists.layer, LiveParts.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(ByteServing.layer, UploadDisk.layer)),
  Layer.provideMerge(Layer.mergeAll(UploadSettings.layer, ProcessingSettings.layer))
)

/** A large upload takes longer to be copied, and a busy node longer to begin: nobody waits for that. */
const firstFilesWait = Layer.succeed(FirstFilesWait, Duration.seconds(5))

const momentPictures = FrameCapture.layer.pipe(Layer.provide(SourceOf.layer), Layer.provide(ProcessingVideos.layer))

/** Settings of administrators hold before anything is served. */
const customSettings = Layer.effectDiscard(
  Effect.gen(function* () {
    yield* (yield* CustomSettings).load
    yield* (yield* Appearance).load
  })
)

/** Every service of the node, over its configuration and its supervisor; the instance is set up when it is new. */
export const Services = Layer.merge(FirstStart, customSettings).pipe(
  Layer.provideMerge(SyncServices),
  Layer.provideMerge(UserImportServices),
  Layer.provideMerge(ImportServices),
  Layer.provideMerge(liveFilesElsewhere),
  Layer.provideMerge(LiveServices.pipe(Layer.provide(remoteRuns), Layer.provideMerge(liveDoors))),
  Layer.provideMerge(uploadServices.pipe(Layer.provide(Layer.merge(firstFilesWait, publishesAtOnce)))),
  Layer.provideMerge(VideoServices),
  Layer.provideMerge(momentPictures),
  Layer.provideMerge(people),
  Layer.provideMerge(FederationServices),
  Layer.provideMerge(Layer.merge(files, videoWrites)),
  Layer.provideMerge(Layer.mergeAll(foundation, MediaServices, fetchServices(), rateLimits, HttpMetrics.layer))
)
