import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { RedundancyPlans } from "@kinora/storage/federation/redundancy/RedundancyPlans"
import { RedundancyRows } from "@kinora/storage/federation/redundancy/RedundancyRows"
import { Context, Effect, Layer } from "effect"
import { Redundancy } from "./Redundancy.ts"
import { RedundancySettings, type RedundancyStrategy } from "./RedundancySettings.ts"

/** Copies a round has made for each strategy. */
const mostAtOnce = 5

/** Looks what is to be copied, kept and removed. */
export class RedundancyRound extends Context.Service<
  RedundancyRound,
  {
    /** To be run from time to time. Copies whose time is over stay for as long as nothing better needs their place. */
    readonly run: Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/node/redundancy/RedundancyRound") {
  static readonly layer = Layer.effect(
    RedundancyRound,
    Effect.gen(function* () {
      const plans = yield* RedundancyPlans
      const redundancy = yield* Redundancy
      const rows = yield* RedundancyRows
      const { acceptFrom, strategies, trendDays } = yield* RedundancySettings

      const ofStrategy = Effect.fnUntraced(function* ({
        lifetimeMillis,
        maxBytes,
        minViews,
        strategy
      }: RedundancyStrategy) {
        let used = yield* plans.used(strategy)
        const leaving = [...(yield* plans.expired(strategy))]
        const wanted = yield* plans.wanted(strategy, { maxBytes, minViews, days: trendDays, count: mostAtOnce })
        const make = Effect.fnUntraced(function* (room: number) {
          for (let old = leaving[0]; used > room && old !== undefined; old = leaving[0]) {
            leaving.shift()
            if (yield* rows.remove(old.id)) used -= old.size
          }
          return used <= room
        })
        yield* make(maxBytes)
        for (const { id, size } of wanted) {
          if (!(yield* make(maxBytes - size))) break
          yield* redundancy.plan({ videoId: id, strategy, size, lifetimeMillis })
          used += size
        }
        yield* Effect.forEach(leaving, ({ id }) => plans.extend(id, lifetimeMillis), { discard: true })
      })

      const run = Effect.gen(function* () {
        yield* plans.forgetUnwelcome(acceptFrom)
        const unwanted = yield* plans.ofOthers(strategies.map(({ strategy }) => strategy))
        yield* Effect.forEach(unwanted, rows.remove, { discard: true })
        yield* Effect.forEach(strategies, ofStrategy, { discard: true })
      }).pipe(Effect.withSpan("RedundancyRound.run"))

      return RedundancyRound.of({ run })
    })
  )
}
