import { RedundancyLists } from "@kinora/storage/federation/redundancy/RedundancyLists"
import { RedundancyPlans } from "@kinora/storage/federation/redundancy/RedundancyPlans"
import { RedundancyRows } from "@kinora/storage/federation/redundancy/RedundancyRows"
import { Layer } from "effect"
import { Redundancy } from "./Redundancy.ts"

/** Copies of videos, as far as nothing is copied: needs `SqlClient` and `JobBoard`. */
export const RedundancyServices = Redundancy.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(RedundancyLists.layer, RedundancyPlans.layer, RedundancyRows.layer))
)
