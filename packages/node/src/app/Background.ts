import { VideoTrends } from "@kinora/storage/video/read/VideoTrends"
import { WireRefresher } from "@kinora/storage/video/read/WireRefresher"
import { Duration, Effect, Layer } from "effect"
import { KinoraConfig } from "../platform/config/Config.ts"
import { every } from "../platform/supervision/Every.ts"
import { Supervisor } from "../platform/supervision/Supervisor.ts"

const batch = 200

/** Views count for a trend by the day: that the day is another one is noticed within this time. */
const trendsEvery = Duration.minutes(10)

/** Makes ready answers that are missing, until none is, and lets trends end. */
export const Background = Layer.effectDiscard(
  Effect.gen(function* () {
    const config = yield* KinoraConfig
    const supervisor = yield* Supervisor
    const refresher = yield* WireRefresher
    const trends = yield* VideoTrends
    const refreshAll = Effect.gen(function* () {
      while ((yield* refresher.refresh(batch)) > 0);
    })
    yield* supervisor.run("ready answers", every(Duration.seconds(1), refreshAll))
    yield* supervisor.run("trends", every(trendsEvery, trends.refresh(config.trending.videos.interval_days)))
  })
).pipe(Layer.provide([WireRefresher.layer, VideoTrends.layer]))
