import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { VideoFacts } from "@kinora/storage/video/access/VideoFacts"
import type { Around } from "@kinora/storage/platform/audit/Around"
import { VideoValueReads } from "@kinora/storage/video/write/VideoValueReads"
import { Context, Effect, Layer } from "effect"
import { type AuditedAct, AuditTrail, unaudited } from "../../platform/audit/AuditTrail.ts"
import { worksOn } from "./VideoRights.ts"

/** A video and the user who changes it. */
export interface Changed {
  readonly user: CurrentUserShape
  readonly video: VideoFacts
}

/** What is done to the video. */
export interface VideoAct {
  readonly action: string
  /** What it is done with, besides the video. */
  readonly details?: Readonly<Record<string, unknown>>
  /** The act leaves an entry even though none of the video's values differ, such as an order that a job carries out. */
  readonly withoutValues?: boolean
}

/**
 * Changes videos with an entry in the audit log where one is due: whoever works on the video changes it as their own; who has the
 * right from their role acts as a moderator.
 */
export class VideoActs extends Context.Service<
  VideoActs,
  {
    /** An act for which a role is needed, on whatever video. */
    readonly byRight: (changed: Changed, act: VideoAct) => Around
    /** An act of those who work on the video, and of moderators. */
    readonly change: (changed: Changed, act: VideoAct) => Around
  }
>()("@kinora/node/video/list/VideoActs") {
  static readonly layer = Layer.effect(
    VideoActs,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const values = yield* VideoValueReads

      const about = ({ video: { id, uuid } }: Changed, { action, details, withoutValues }: VideoAct): AuditedAct => ({
        domain: "video",
        action,
        target: { videoId: id, uuid, ...details },
        ...(withoutValues === true ? {} : { values: values.of(id) })
      })

      const byRight = (changed: Changed, act: VideoAct) => audit.around(changed.user, about(changed, act))

      return VideoActs.of({
        byRight,
        change: (changed, act) => (worksOn(changed.video, changed.user) ? unaudited : byRight(changed, act))
      })
    })
  ).pipe(Layer.provide(VideoValueReads.layer))
}
