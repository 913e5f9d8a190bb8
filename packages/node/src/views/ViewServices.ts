import { HistoryRows } from "@kinora/storage/history/HistoryRows"
import { ViewCounts } from "@kinora/storage/views/ViewCounts"
import { ViewingRows } from "@kinora/storage/views/ViewingRows"
import { ViewStats } from "@kinora/storage/views/ViewStats"
import { Layer } from "effect"
import { ViewerHashes } from "./ViewerHashes.ts"
import { Viewing } from "./Viewing.ts"
import { ViewReports } from "./ViewReports.ts"

const rows = Layer.mergeAll(HistoryRows.layer, ViewCounts.layer, ViewingRows.layer, ViewStats.layer)

/** Views, viewers, figures and histories. Needs `SqlClient`, `InstanceSettings` and `KinoraConfig`. */
export const ViewServices = Viewing.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(ViewReports.layer, ViewerHashes.layer)),
  Layer.provideMerge(rows)
)
