import { HistoryLists } from "@kinora/storage/video/history/HistoryLists"
import { HistoryRows } from "@kinora/storage/video/history/HistoryRows"
import { ViewCounts } from "@kinora/storage/video/view/ViewCounts"
import { ViewingRows } from "@kinora/storage/video/view/ViewingRows"
import { ViewStats } from "@kinora/storage/video/view/ViewStats"
import { Layer } from "effect"
import { WatchHistory } from "../history/WatchHistory.ts"
import { VideoStatistics } from "./VideoStatistics.ts"
import { ViewerHashes } from "./ViewerHashes.ts"
import { Viewing } from "./Viewing.ts"
import { ViewReports } from "./ViewReports.ts"

const rows = Layer.mergeAll(HistoryLists.layer, HistoryRows.layer, ViewCounts.layer, ViewingRows.layer, ViewStats.layer)

/** Views, viewers, statistics and watch history. Needs `SqlClient`, `InstanceSettings` and `KinoraConfig`. */
export const ViewServices = Layer.mergeAll(Viewing.layer, VideoStatistics.layer, WatchHistory.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(ViewReports.layer, ViewerHashes.layer)),
  Layer.provideMerge(rows)
)
