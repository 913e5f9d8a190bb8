import { ClusterNodeReads } from "@kinora/storage/platform/cluster/ClusterNodeReads"
import { FederationBacklog } from "@kinora/storage/federation/outbox/FederationBacklog"
import { Actors } from "@kinora/storage/people/actor/Actors"
import { LocalActors } from "@kinora/storage/people/actor/LocalActors"
import { Installation } from "@kinora/storage/instance/installation/Installation"
import { InstanceCounts } from "@kinora/storage/instance/installation/InstanceCounts"
import { InstanceSettings } from "@kinora/storage/instance/installation/InstanceSettings"
import { Sitemap } from "@kinora/storage/instance/installation/Sitemap"
import { HomepageRows } from "@kinora/storage/instance/homepage/HomepageRows"
import { JobLists } from "@kinora/storage/platform/jobs/JobLists"
import { JobUpkeep } from "@kinora/storage/platform/jobs/JobUpkeep"
import { InstanceSamples } from "@kinora/storage/instance/stats/InstanceSamples"
import { InstanceStats } from "@kinora/storage/instance/stats/InstanceStats"
import { AuditLists } from "@kinora/storage/platform/audit/AuditLists"
import { CustomSettingRows } from "@kinora/storage/instance/settings/CustomSettingRows"
import { Layer } from "effect"
import { ClientLogs } from "../logs/ClientLogs.ts"
import { ServerLogs } from "../logs/ServerLogs.ts"
import { Homepage } from "../homepage/Homepage.ts"
import { CustomSettings } from "../settings/CustomSettings.ts"
import { JobAdministration } from "./JobAdministration.ts"
import { InstanceSeries } from "../stats/InstanceSeries.ts"
import { PlaybackMetrics } from "../stats/PlaybackMetrics.ts"

/** Data about the instance, its actors and its jobs: needs `SqlClient`, `SlowSql` and `AuditTrail`. */
export const InstanceServices = Layer.mergeAll(
  Actors.layer,
  LocalActors.layer,
  Installation.layer,
  ClusterNodeReads.layer,
  InstanceCounts.layer,
  JobAdministration.layer.pipe(Layer.provide([FederationBacklog.layer, JobLists.layer, JobUpkeep.layer])),
  InstanceSettings.layer,
  Sitemap.layer,
  InstanceStats.layer,
  InstanceSeries.layer.pipe(Layer.provideMerge(InstanceSamples.layer)),
  PlaybackMetrics.layer,
  ClientLogs.layer,
  AuditLists.layer,
  ServerLogs.layer,
  Homepage.layer.pipe(Layer.provide(HomepageRows.layer)),
  CustomSettings.layer.pipe(Layer.provide(CustomSettingRows.layer))
)
