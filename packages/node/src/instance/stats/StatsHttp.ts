import { Api } from "@kinora/domain/api/Api"
import { InstanceStats } from "@kinora/storage/instance/stats/InstanceStats"
import { UserRole } from "@kinora/domain/enums/UserRole"
import { Viewer } from "@kinora/domain/users/CurrentUser"
import { Effect, Layer, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { answer, jsonText } from "../../platform/http/Answer.ts"
import { recent } from "../../platform/memory/Recent.ts"
import { RedundancySettings } from "../../federation/redundancy/RedundancySettings.ts"
import { presentedByViewer } from "../../video/list/Asking.ts"
import { VideoAccess } from "../../video/list/VideoAccess.ts"
import { PlaybackMetrics } from "./PlaybackMetrics.ts"
import { serverStatsWire } from "./ServerStatsWire.ts"

/** As long as figures are kept here: later ones are no news to anybody. */
const cacheControl = { headers: { "cache-control": "max-age=60" } }
const notStored = { headers: { "cache-control": "no-store" } }

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
    const fresh = Effect.map(stats.figures, (figures) => JSON.stringify(serverStatsWire(figures, config, strategies)))
    const text = recent(fresh, "1 minute")
    return handlers.handleAll({
      getInstanceStats: () =>
        answer(
          Effect.gen(function* () {
            const { user } = yield* Viewer
            const isFresh = Option.isSome(user) && user.value.role === UserRole.administrator
            return isFresh ? jsonText(yield* fresh, notStored) : jsonText(yield* text, cacheControl)
          })
        ),
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
