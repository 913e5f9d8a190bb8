import type { AcceptedFrom, AutomaticStrategy } from "@kinora/storage/federation/redundancy/RedundancyPlans"
import { Context, Duration, Effect, Layer, Result } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { duration, size } from "../../platform/config/kinds/KindQuantities.ts"

/** What is copied by itself. */
export interface RedundancyStrategy {
  readonly strategy: AutomaticStrategy
  /** Bytes all copies of the strategy may have. */
  readonly maxBytes: number
  /** Time a copy is kept at least. */
  readonly lifetimeMillis: number
  readonly minViews: number
}

/** How copies of videos of other instances are made (`redundancy.videos`). */
export class RedundancySettings extends Context.Service<
  RedundancySettings,
  {
    readonly checkInterval: Duration.Duration
    readonly strategies: ReadonlyArray<RedundancyStrategy>
    /** Whose copies of our videos are taken. */
    readonly acceptFrom: AcceptedFrom
    /** Days that count for trends. */
    readonly trendDays: number
    /** Folder for files on their way; its contents are deleted at start. */
    readonly folder: string
  }
>()("@kinora/node/redundancy/RedundancySettings") {
  /** Sizes and lifetimes were read once with the configuration, which refuses what is none. */
  static readonly layer = Layer.effect(
    RedundancySettings,
    Effect.map(KinoraConfig, (config) => {
      const { check_interval, strategies } = config.redundancy.videos
      const read = <A>(what: string, result: Result.Result<A, string>): A => {
        if (Result.isSuccess(result)) return result.success
        throw new Error(`redundancy.videos.strategies: ${what}: ${result.failure}`)
      }
      return RedundancySettings.of({
        checkInterval: check_interval,
        strategies: (strategies ?? []).map((it) => ({
          strategy: it.strategy,
          maxBytes: read("size", size.read(it.size)),
          lifetimeMillis: Duration.toMillis(read("min_lifetime", duration.read(it.min_lifetime))),
          minViews: it.min_views ?? 0
        })),
        acceptFrom: config.remote_redundancy.videos.accept_from,
        trendDays: config.trending.videos.interval_days,
        folder: `${config.storage.tmp}/redundancy`
      })
    })
  )
}
