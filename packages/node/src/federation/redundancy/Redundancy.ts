import { CopiedAlready, NotCopied, RedundancyNotFound } from "@kinora/domain/errors/RedundancyErrors"
import { ServerNotFound } from "@kinora/domain/errors/FollowErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import {
  type RedundancyJob,
  redundancyJobType,
  redundancyKey,
  RedundancyPlans
} from "@kinora/storage/federation/redundancy/RedundancyPlans"
import { RedundancyRows } from "@kinora/storage/federation/redundancy/RedundancyRows"
import { Context, Effect, Layer, Option } from "effect"
import { AuditTrail } from "../../platform/audit/AuditTrail.ts"
import type { AuditedValues } from "../../platform/audit/Difference.ts"

/** Copies of videos of other instances, as administrators want them. */
export class Redundancy extends Context.Service<
  Redundancy,
  {
    /** Says whether videos of a host are copied; where they are not, copies go. */
    readonly allow: (
      user: CurrentUserShape,
      host: string,
      allowed: boolean
    ) => Effect.Effect<void, ServerNotFound | DatabaseUnavailable>
    /** Has a video copied in the background, until somebody removes the copy. */
    readonly mirror: (
      user: CurrentUserShape,
      videoId: number
    ) => Effect.Effect<void, VideoNotFound | NotCopied | CopiedAlready | DatabaseUnavailable>
    /** Has it copied for a strategy. Nothing happens when that is about to be done. */
    readonly plan: (job: RedundancyJob) => Effect.Effect<void, DatabaseUnavailable>
    readonly remove: (
      user: CurrentUserShape,
      redundancyId: number
    ) => Effect.Effect<void, RedundancyNotFound | DatabaseUnavailable>
  }
>()("@kinora/node/redundancy/Redundancy") {
  static readonly layer = Layer.effect(
    Redundancy,
    Effect.gen(function* () {
      const board = yield* JobBoard
      const plans = yield* RedundancyPlans
      const rows = yield* RedundancyRows
      const audit = yield* AuditTrail

      const plan = (job: RedundancyJob) =>
        Effect.asVoid(
          board.enqueue({
            type: redundancyJobType,
            payload: job,
            videoId: job.videoId,
            dedupeKey: redundancyKey(job.videoId),
            priority: 300,
            maxAttempts: 3
          })
        )

      const around = (
        user: CurrentUserShape,
        action: string,
        target: Readonly<Record<string, unknown>>,
        values?: Effect.Effect<AuditedValues, DatabaseUnavailable>
      ) => audit.around(user, { domain: "redundancy", action, target, ...(values === undefined ? {} : { values }) })

      return Redundancy.of({
        plan,
        allow: Effect.fn("Redundancy.allow")(function* (user: CurrentUserShape, host: string, allowed: boolean) {
          const values = Effect.map(rows.isAllowed(host), (redundancyAllowed) => ({ redundancyAllowed }))
          const known = yield* around(user, "allow", { host }, values)(rows.allow(host, allowed))
          if (!known) return yield* new ServerNotFound()
        }),
        mirror: Effect.fn("Redundancy.mirror")(function* (user: CurrentUserShape, videoId: number) {
          const found = yield* rows.video(videoId)
          if (Option.isNone(found)) return yield* new VideoNotFound()
          const video = found.value
          if (!video.remote) return yield* new NotCopied({ reason: "The video belongs to this instance" })
          if (video.isLive) return yield* new NotCopied({ reason: "A live video cannot be copied" })
          if (!video.open || video.playlistUrl === null) {
            return yield* new NotCopied({ reason: "The video has no HLS files for everybody" })
          }
          if (video.copied || (yield* plans.isPlanned(videoId))) return yield* new CopiedAlready()
          const planned = plan({ videoId, strategy: "manual", size: video.size, lifetimeMillis: null })
          yield* around(user, "mirror", { videoId, uuid: video.uuid })(planned)
        }),
        remove: Effect.fn("Redundancy.remove")(function* (user: CurrentUserShape, redundancyId: number) {
          const values = rows.values(redundancyId)
          const removed = yield* around(user, "remove", { redundancyId }, values)(rows.remove(redundancyId))
          if (!removed) return yield* new RedundancyNotFound()
        })
      })
    })
  )
}
