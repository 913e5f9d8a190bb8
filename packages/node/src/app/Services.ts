import { JobBoard } from "@kinora/storage/jobs/JobBoard"
import { JobUpkeep } from "@kinora/storage/jobs/JobUpkeep"
import { VideoDeletion } from "@kinora/storage/videos/writes/VideoDeletion"
import { ProcessingVideos } from "@kinora/storage/videos/writes/ProcessingVideos"
import { VideoPublication } from "@kinora/storage/videos/writes/VideoPublication"
import { Effect, Layer, Option, Redacted } from "effect"
import { KinoraConfig } from "../config/Config.ts"
import { ByteServing } from "../http/ByteServing.ts"
import { defaultHttpOptions } from "../http/DefaultHttpOptions.ts"
import { HttpMetrics } from "../http/HttpMetrics.ts"
import { layerRedisStore } from "../http/RateLimitRedis.ts"
import { RateLimitStore } from "../http/RateLimitStore.ts"
import { layer as FirstStart } from "../instance/FirstStart.ts"
import { MomentPictures } from "../edit/MomentPictures.ts"
import { FederationServices } from "../federation/FederationServices.ts"
import { fetchServices } from "../fetch/FetchServices.ts"
import { ImportServices } from "../imports/ImportServices.ts"
import { InstanceServices } from "../instance/InstanceServices.ts"
import { ServedBucket } from "../files/ServedBucket.ts"
import { ProcessingSettings } from "../processing/ProcessingSettings.ts"
import { SourceOf } from "../processing/SourceOf.ts"
import { SourceFiles } from "../processing/SourceFiles.ts"
import { SyncServices } from "../syncs/SyncServices.ts"
import { UserImportServices } from "../userimports/UserImportServices.ts"
import { uploadServices } from "../uploads/UploadLayer.ts"
import { UploadDisk } from "../uploads/UploadDisk.ts"
import { UploadSettings } from "../uploads/UploadSettings.ts"
import { PeopleServices } from "../users/PeopleServices.ts"
import { VideoServices } from "../videos/VideoServices.ts"
import { DatabaseServices } from "./DatabaseServices.ts"
import { MediaServices } from "./MediaServices.ts"
import { ObjectServices } from "./ObjectServices.ts"

/** Counts of limits: shared through Redis when the configuration names one, else this node's own. */
const rateLimits = Layer.unwrap(
  Effect.map(KinoraConfig, ({ derived }) =>
    Option.match(derived.redisUrl, {
      onNone: () => RateLimitStore.layerMemory(defaultHttpOptions.rateLimitClients),
      onSome: (url) => layerRedisStore({ url: Redacted.value(url), clients: defaultHttpOptions.rateLimitClients })
    })
  )
)

const jobs = Layer.mergeAll(JobBoard.layer, JobUpkeep.layer)

const videoWrites = Layer.mergeAll(VideoPublication.layer, VideoDeletion.layer)

const foundation = Layer.mergeAll(ObjectServices, jobs).pipe(Layer.provideMerge(DatabaseServices))

const people = PeopleServices.pipe(Layer.provideMerge(InstanceServices))

const files = Layer.mergeAll(ServedBucket.layer, SourceFiles.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(ByteServing.layer, UploadDisk.layer)),
  Layer.provideMerge(Layer.mergeAll(UploadSettings.layer, ProcessingSettings.layer))
)

const momentPictures = MomentPictures.layer.pipe(Layer.provide(SourceOf.layer), Layer.provide(ProcessingVideos.layer))

/** Every service of the node, over its configuration and its supervisor; the instance is set up when it is new. */
export const Services = FirstStart.pipe(
  Layer.provideMerge(SyncServices),
  Layer.provideMerge(UserImportServices),
  Layer.provideMerge(ImportServices),
  Layer.provideMerge(uploadServices),
  Layer.provideMerge(VideoServices),
  Layer.provideMerge(momentPictures),
  Layer.provideMerge(people),
  Layer.provideMerge(FederationServices),
  Layer.provideMerge(Layer.merge(files, videoWrites)),
  Layer.provideMerge(Layer.mergeAll(foundation, MediaServices, fetchServices(), rateLimits, HttpMetrics.layer))
)
