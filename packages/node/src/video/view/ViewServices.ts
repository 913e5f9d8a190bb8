import { HistoryRows } from "@kinora/storage/video/history/HistoryRows"
import { ViewCounts } from "@kinora/storage/video/view/ViewCounts"
import { ViewingRows } from "@kinora/storage/video/view/ViewingRows"
import { ViewStats } from "@kinora/storage/video/view/ViewStats"
import { Layer } from "effect"
import { ViewerHashes } from "./ViewerHashes.ts"
import { Viewing } from "./Viewing.ts"
import { ViewReports } from "./ViewReports.ts"

const rows = Layer.mergeAll(HistoryRows.layer, ViewCounts.layer, ViewingRows.layer, ViewStats.layer)

/** Views, viewers, statistics and watch history. Needs `SqlClient`, `InstanceSettings` and `KinoraConfig`. */
export const ViewServices = Viewing.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(ViewReports.layer, ViewerHashes.layer)),
  Layer.provideMerge(rows)
)
