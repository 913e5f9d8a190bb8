import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Clock, Duration, Effect } from "effect"
import { jobLease } from "./JobLease.ts"

const lookEvery = Duration.millis(1500)
/** A longer gap between two looks means that the database, or this process, was away. */
const longestGap = Duration.seconds(4)

/**
 * Expires leases for ever. After a start, an outage or a pause of this process it first only looks at the database for as
 * long as a lease lasts: workers that could not renew theirs meanwhile are alive and renew them now.
 */
export const watchLeases = (options: {
  readonly expire: Effect.Effect<unknown, DatabaseUnavailable>
  /** Reads anything, to find out whether the database answers. */
  readonly look: Effect.Effect<unknown, DatabaseUnavailable>
}): Effect.Effect<never> =>
  Effect.suspend(() => {
    let seen = Number.NEGATIVE_INFINITY
    let from = 0
    return Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (now - seen > Duration.toMillis(longestGap)) from = now + Duration.toMillis(jobLease)
      yield* now < from ? options.look : options.expire
      seen = now
    }).pipe(
      Effect.catchTag("DatabaseUnavailable", () => Effect.sync(() => void (seen = Number.NEGATIVE_INFINITY))),
      Effect.andThen(Effect.sleep(lookEvery)),
      Effect.forever
    )
  })
