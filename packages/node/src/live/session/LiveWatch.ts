import { LiveError } from "@kinora/domain/enums/Live"
import { LiveRows, type PublishedLive } from "@kinora/storage/live/LiveRows"
import { MyUserReads } from "@kinora/storage/people/user/MyUserReads"
import { Clock, Context, Duration, Effect, Layer, Option } from "effect"
import { LiveSettings } from "../settings/LiveSettings.ts"
import type { LiveEnd } from "./LiveEnd.ts"

const lookEvery = Duration.seconds(5)

/** A live that is being published. */
export interface Watched {
  readonly videoId: number
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** Bytes that were recorded for its replay. */
  readonly recorded: () => number
}

/** Whether what is recorded has no room in the owner's quotas. */
const isOverQuota = (
  live: PublishedLive,
  { used, usedDaily }: { readonly used: number; readonly usedDaily: number },
  recorded: number
): boolean =>
  (live.videoQuota >= 0 && used + recorded > live.videoQuota) ||
  (live.videoQuotaDaily >= 0 && usedDaily + recorded > live.videoQuotaDaily)

/** Watches what a live may not do while it is published. */
export class LiveWatch extends Context.Service<
  LiveWatch,
  {
    /** Completes when the live has to end. */
    readonly end: (watched: Watched) => Effect.Effect<LiveEnd>
  }
>()("@kinora/node/live/session/LiveWatch") {
  static readonly layer = Layer.effect(
    LiveWatch,
    Effect.gen(function* () {
      const settings = yield* LiveSettings
      const rows = yield* LiveRows
      const users = yield* MyUserReads

      const look = Effect.fnUntraced(function* (watched: Watched) {
        const found = yield* rows.published(watched.videoId)
        if (Option.isNone(found)) return { error: null, reason: "The live was deleted" }
        const live = found.value
        if (live.blacklisted || live.ownerBlocked) {
          return { error: LiveError.blacklisted, reason: "The live was blocked by moderators" }
        }
        if (!settings.enabled) return { error: null, reason: "Live streaming is not enabled on this instance any more" }
        const lasted = (yield* Clock.currentTimeMillis) - watched.startedAt
        if (settings.maxDuration !== undefined && lasted > settings.maxDuration) {
          return { error: LiveError.durationExceeded, reason: "The live has reached its longest duration" }
        }
        const recorded = watched.recorded()
        if (recorded > 0 && isOverQuota(live, yield* users.quotaUsed(live.userId), recorded)) {
          return { error: LiveError.quotaExceeded, reason: "The replay does not fit into the quota" }
        }
        return undefined
      })

      const end = Effect.fn("LiveWatch.end")(function* (watched: Watched) {
        for (;;) {
          yield* Effect.sleep(lookEvery)
          // While the database is away nothing is known, and the live goes on.
          const found = yield* Effect.catchTag(look(watched), "DatabaseUnavailable", () => Effect.undefined)
          if (found !== undefined) return found satisfies LiveEnd
        }
      })

      return LiveWatch.of({ end })
    })
  )
}
