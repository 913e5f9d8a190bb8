import { HistoryRows } from "@kinora/storage/video/history/HistoryRows"
import { ViewCounts } from "@kinora/storage/video/view/ViewCounts"
import { ViewingRows } from "@kinora/storage/video/view/ViewingRows"
import { Duration, Effect, Layer } from "effect"
import { periodicOnce } from "../../platform/cluster/PeriodicOnce.ts"
import { runOnce } from "../../platform/cluster/Placement.ts"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { every } from "../../platform/supervision/Every.ts"
import { Supervisor } from "../../platform/supervision/Supervisor.ts"
import { ViewReports } from "./ViewReports.ts"

/** Time between two writes of reports: the most that a crash can lose. */
const written = Duration.seconds(2)
/** Minimum, since an interval of 0 would keep the database busy all the time. */
const minInterval = Duration.seconds(1)
/** Maximum age of the current number of viewers. */
const viewersEvery = Duration.seconds(10)
/** A viewer who has not reported for this many seconds no longer counts (contract: Lifetimes, viewerCounter). */
export const viewerSeconds = 120

/** Maintains views, viewers and watch history under the supervisor. */
export const ViewTasks = Layer.effectDiscard(
  Effect.gen(function* () {
    const { history, views } = yield* KinoraConfig
    const supervisor = yield* Supervisor
    const reports = yield* ViewReports
    const rows = yield* ViewingRows
    const counts = yield* ViewCounts
    const histories = yield* HistoryRows
    yield* supervisor.run("view reports", every(written, reports.flush))
    yield* supervisor.offer("views", Effect.andThen(reports.flush, counts.apply))
    yield* periodicOnce("viewers", viewersEvery, counts.refreshViewers(viewerSeconds))
    yield* runOnce("views", every(Duration.max(views.videos.local_buffer_update_interval, minInterval), counts.apply))
    yield* runOnce("ended views", every(Duration.minutes(1), rows.end(reports.sessionSeconds)))
    const { max_age } = history.videos
    if (Duration.isFinite(max_age)) {
      yield* runOnce("histories", every(Duration.hours(1), histories.removeOlder(Duration.toSeconds(max_age))))
    }
  })
)
