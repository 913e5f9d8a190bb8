import { Actors } from "@kinora/storage/actors/Actors"
import { LocalActors } from "@kinora/storage/actors/LocalActors"
import { Installation } from "@kinora/storage/instance/Installation"
import { InstanceCounts } from "@kinora/storage/instance/InstanceCounts"
import { InstanceSettings } from "@kinora/storage/instance/InstanceSettings"
import { Sitemap } from "@kinora/storage/instance/Sitemap"
import { HomepageRows } from "@kinora/storage/homepage/HomepageRows"
import { InstanceStats } from "@kinora/storage/stats/InstanceStats"
import { Layer } from "effect"
import { Homepage } from "../homepage/Homepage.ts"
import { PlaybackMetrics } from "../stats/PlaybackMetrics.ts"

/** What the database knows of the instance and its actors: needs `SqlClient` and `SlowSql`. */
export const InstanceServices = Layer.mergeAll(
  Actors.layer,
  LocalActors.layer,
  Installation.layer,
  InstanceCounts.layer,
  InstanceSettings.layer,
  Sitemap.layer,
  InstanceStats.layer,
  PlaybackMetrics.layer,
  Homepage.layer.pipe(Layer.provide(HomepageRows.layer))
)
