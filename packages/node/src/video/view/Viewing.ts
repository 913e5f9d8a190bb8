import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import type { UserViewingVideo } from "@kinora/domain/requests/ViewRequests"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { HistoryRows } from "@kinora/storage/video/history/HistoryRows"
import type { VideoFacts } from "@kinora/storage/video/access/VideoFacts"
import { ViewingRows } from "@kinora/storage/video/view/ViewingRows"
import { Context, Effect, Layer, Option } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { RemoteThreads } from "./RemoteThreads.ts"
import { watchedWith } from "./UserAgent.ts"
import { ViewerHashes } from "./ViewerHashes.ts"
import { ViewReports } from "./ViewReports.ts"

/** Who sends the report, in addition to its content. */
export interface Reporter {
  readonly user: Option.Option<CurrentUserShape>
  readonly address: string
  readonly userAgent: string | undefined
}

/** Durations are rounded, and players round up: this many seconds after the end still count as the end. */
const afterEnd = 2

/** Accepts a report from a viewer who may see the video. */
export class Viewing extends Context.Service<
  Viewing,
  {
    readonly report: (
      video: VideoFacts,
      said: UserViewingVideo,
      reporter: Reporter
    ) => Effect.Effect<void, InvalidParameters | VideoNotFound | DatabaseUnavailable>
  }
>()("@kinora/node/views/Viewing") {
  static readonly layer = Layer.effect(
    Viewing,
    Effect.gen(function* () {
      const rows = yield* ViewingRows
      const history = yield* HistoryRows
      const hashes = yield* ViewerHashes
      const reports = yield* ViewReports
      const remote = yield* RemoteThreads
      const { history: remembering } = (yield* KinoraConfig).user

      const report = Effect.fnUntraced(function* (video: VideoFacts, said: UserViewingVideo, reporter: Reporter) {
        const found = yield* rows.target(video.id)
        if (Option.isNone(found)) return yield* new VideoNotFound()
        const { duration, isLive } = found.value
        const ends = !isLive && duration > 0
        if (ends && said.currentTime > duration + afterEnd) {
          const msg = `Must not be after the end of the video, ${duration} seconds`
          return yield* InvalidParameters.one("currentTime", msg, "body", said.currentTime)
        }
        const position = ends ? Math.min(said.currentTime, duration) : said.currentTime
        if (Option.isSome(reporter.user))
          yield* history.watch(reporter.user.value.id, video.id, position, remembering.videos.enabled)
        // Its views are sent to its own instance (sql/federation/functions/outbox-views.sql) and counted there.
        if (video.remote) yield* remote.watched(video.id)
        const guessed = watchedWith(reporter.userAgent)
        yield* reports.add({
          ...hashes.of(video.id, {
            userId: Option.map(reporter.user, (user) => user.id),
            address: reporter.address,
            sessionId: said.sessionId ?? undefined,
            userAgent: reporter.userAgent
          }),
          videoId: video.id,
          position,
          sought: said.viewEvent === "seek",
          client: said.client ?? guessed.client,
          device: said.device ?? guessed.device,
          operatingSystem: said.operatingSystem ?? guessed.operatingSystem
        })
      })

      return Viewing.of({ report })
    })
  )
}
