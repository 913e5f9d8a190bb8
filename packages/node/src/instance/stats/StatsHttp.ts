import { InstanceStats } from "@kinora/storage/instance/stats/InstanceStats"
import { UserRole } from "@kinora/domain/enums/UserRole"
import { checkSeriesSpan } from "@kinora/domain/requests/StatsQueries"
import { Viewer } from "@kinora/domain/users/CurrentUser"
import { toJson } from "@kinora/domain/wire/Json"
import { Effect, Layer, Option } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { type Answers, answer, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { recent } from "../../platform/memory/Recent.ts"
import { RedundancySettings } from "../../federation/redundancy/RedundancySettings.ts"
import { presentedByViewer } from "../../video/list/Presented.ts"
import { VideoAccess } from "../../video/list/VideoAccess.ts"
import { InstanceSeries } from "./InstanceSeries.ts"
import { PlaybackMetrics } from "./PlaybackMetrics.ts"
import { serverStatsWire } from "./ServerStatsWire.ts"

/** The server and clients keep the figures for half a minute each: nobody reads figures older than a minute. */
const keptSeconds = 30
const cacheControl = { headers: { "cache-control": `max-age=${keptSeconds}` } }
const notStored = { headers: { "cache-control": "no-store" } }

/** Figures of the instance, counted at most twice a minute, and playback reports of players. */
export const layer = apiGroup(
  "stats",
  Effect.fnUntraced(function* (handlers) {
    const config = yield* KinoraConfig
    const stats = yield* InstanceStats
    const series = yield* InstanceSeries
    const { strategies } = yield* RedundancySettings
    const access = yield* VideoAccess
    const metrics = yield* PlaybackMetrics
    const fresh = Effect.map(stats.figures, (figures) => toJson(serverStatsWire(figures, config, strategies)))
    const text = recent(fresh, `${keptSeconds} seconds`)
    return handlers.handleAll({
      getInstanceStats: () =>
        answer(
          Effect.gen(function* () {
            const { user } = yield* Viewer
            const isFresh = Option.isSome(user) && user.value.role === UserRole.administrator
            return isFresh ? jsonText(yield* fresh, notStored) : jsonText(yield* text, cacheControl)
          })
        ),
      getInstanceTimeSeries: ({ query }) =>
        answer(
          Effect.gen(function* () {
            const refused = checkSeriesSpan(query)
            if (refused !== undefined) return yield* refused
            return yield* series.read(query)
          })
        ),
      postMetricsPlayback: ({ payload, request }) =>
        answer(
          Effect.gen(function* () {
            yield* access.open(payload.videoId, yield* presentedByViewer(request))
            metrics.record(payload)
          })
        )
    } satisfies Answers<"stats">)
  })
).pipe(Layer.provide(RedundancySettings.layer))
