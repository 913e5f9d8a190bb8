import { VideoTrends } from "@kinora/storage/video/read/VideoTrends"
import { ReadModelRefresher } from "@kinora/storage/video/read/ReadModelRefresher"
import { Duration, Effect, Layer } from "effect"
import { runOnce } from "../platform/cluster/Placement.ts"
import { KinoraConfig } from "../platform/config/Config.ts"
import { every } from "../platform/supervision/Every.ts"

const batch = 200

/** Views count for a trend by the day: that the day is another one is noticed within this time. */
const trendsEvery = Duration.minutes(10)

/** Fills read models until no text is missing, and lets trends end. */
export const Background = Layer.effectDiscard(
  Effect.gen(function* () {
    const config = yield* KinoraConfig
    const refresher = yield* ReadModelRefresher
    const trends = yield* VideoTrends
    const refreshAll = Effect.gen(function* () {
      while ((yield* refresher.refresh(batch)) > 0);
    })
    yield* runOnce("read models", every(Duration.seconds(1), refreshAll))
    yield* runOnce("trends", every(trendsEvery, trends.refresh(config.trending.videos.interval_days)))
  })
).pipe(Layer.provide([ReadModelRefresher.layer, VideoTrends.layer]))
