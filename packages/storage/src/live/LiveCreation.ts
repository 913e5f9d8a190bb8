import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Data, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { UploadResult } from "../video/upload/UploadSession.ts"
import type { AnnouncedVideo } from "../video/write/NewVideo.ts"
import { type ChannelGone, VideoCreation } from "../video/write/VideoCreation.ts"
import { addLive, type LiveSettings, type StoredKey } from "./LiveRows.ts"

/** The instance, or the owner of the channel, has as many lives as are allowed. */
export class TooManyLives extends Data.TaggedError("TooManyLives")<{ readonly of: "instance" | "user" }> {}

/** A live besides what every video has. */
export interface NewLive extends LiveSettings {
  readonly key: StoredKey
  readonly schedules: ReadonlyArray<string>
}

/** How many lives there may be that have not ended; -1: no limit. */
export interface LiveLimits {
  readonly instance: number
  readonly user: number
}

/** Those who create lives at once take turns, so that the limits hold. */
const turn = 7_710_074

/** Creates lives. */
export class LiveCreation extends Context.Service<
  LiveCreation,
  {
    /** Creates a live that waits for its publisher, all or nothing. */
    readonly create: (
      video: AnnouncedVideo,
      live: NewLive,
      limits: LiveLimits
    ) => Effect.Effect<UploadResult, TooManyLives | ChannelGone | DatabaseUnavailable>
  }
>()("@kinora/storage/live/LiveCreation") {
  static readonly layer = Layer.effect(
    LiveCreation,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const creation = yield* VideoCreation

      const checkLimits = Effect.fnUntraced(function* ({ accountId }: AnnouncedVideo, limits: LiveLimits) {
        if (limits.instance < 0 && limits.user < 0) return
        yield* sql`select pg_advisory_xact_lock(${turn})`
        const [found] = yield* sql<{ instance: number; user: number }>`
          select count(*)::int as instance, count(*) filter (where v.account_id = ${accountId})::int as "user"
          from live_video l join video v on v.id = l.video_id where v.is_live and v.state in (1, 4)`
        const { instance, user } = found!
        if (limits.instance >= 0 && instance >= limits.instance) return yield* new TooManyLives({ of: "instance" })
        if (limits.user >= 0 && user >= limits.user) return yield* new TooManyLives({ of: "user" })
      })

      return LiveCreation.of({
        create: (video, live, limits) =>
          creation.live(video, (videoId) => Effect.andThen(checkLimits(video, limits), addLive(sql, videoId, live)))
      })
    })
  )
}
