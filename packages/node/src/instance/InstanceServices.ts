import { Actors } from "@kinora/storage/actors/Actors"
import { LocalActors } from "@kinora/storage/actors/LocalActors"
import { Installation } from "@kinora/storage/instance/Installation"
import { InstanceCounts } from "@kinora/storage/instance/InstanceCounts"
import { InstanceSettings } from "@kinora/storage/instance/InstanceSettings"
import { Sitemap } from "@kinora/storage/instance/Sitemap"
import { Layer } from "effect"

/** What the database knows of the instance and its actors: needs `SqlClient`. */
export const InstanceServices = Layer.mergeAll(
  Actors.layer,
  LocalActors.layer,
  Installation.layer,
  InstanceCounts.layer,
  InstanceSettings.layer,
  Sitemap.layer
)
