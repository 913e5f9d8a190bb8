import { Api } from "@kinora/domain/api/Api"
import { InstanceStats } from "@kinora/storage/instance/stats/InstanceStats"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { answer, jsonText } from "../../platform/http/Answer.ts"
import { recent } from "../../platform/memory/Recent.ts"
import { RedundancySettings } from "../../federation/redundancy/RedundancySettings.ts"
import { presentedByViewer } from "../../video/list/Asking.ts"
import { VideoAccess } from "../../video/list/VideoAccess.ts"
import { PlaybackMetrics } from "./PlaybackMetrics.ts"
import { serverStatsWire } from "./ServerStatsWire.ts"

/** Statistics are no news (contract: Cache-Control of server-stats). */
const cacheControl = "max-age=14400"

/** Figures of the instance, counted at most once in a minute, and reports of players. */
export const layer = HttpApiBuilder.group(
  Api,
  "stats",
  Effect.fnUntraced(function* (handlers) {
    const config = yield* KinoraConfig
    const stats = yield* InstanceStats
    const { strategies } = yield* RedundancySettings
    const access = yield* VideoAccess
    const metrics = yield* PlaybackMetrics
    const text = recent(
      Effect.map(stats.figures, (figures) => JSON.stringify(serverStatsWire(figures, config, strategies))),
      "1 minute"
    )
    return handlers.handleAll({
      getInstanceStats: () =>
        answer(Effect.map(text, (json) => jsonText(json, { headers: { "cache-control": cacheControl } }))),
      postMetricsPlayback: ({ payload, request }) =>
        answer(
          Effect.gen(function* () {
            yield* access.open(payload.videoId, yield* presentedByViewer(request))
            metrics.record(payload)
          })
        )
    })
  })
).pipe(Layer.provide(RedundancySettings.layer))
