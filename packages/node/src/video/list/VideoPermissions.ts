import { Forbidden } from "@kinora/domain/errors/AuthErrors"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { VideoFacts } from "@kinora/storage/video/access/VideoFacts"
import { Context, Effect, Layer, Option } from "effect"
import { type AccessRefused, type Presented, VideoAccess } from "./VideoAccess.ts"
import { mayGive, mayRemove, maySeeFigures, mayUpdate } from "./VideoRights.ts"

/** What not everybody who sees a video may do. */
export type VideoAction =
  /** Change it and what belongs to it. */
  | "change"
  | "remove"
  /** See the facts of its source file. */
  | "seeSource"
  /** See its statistics. */
  | "seeFigures"
  /** Transfer it to another account. */
  | "give"

interface Rule {
  readonly may: (video: VideoFacts, user: Option.Option<CurrentUserShape>) => boolean
  readonly refusal: string
  /** Why nobody does this to videos of other instances. Absent where `may` alone decides. */
  readonly remote?: string
}

const makers = "Only its owner, collaborators and moderators may"

const rules: Readonly<Record<VideoAction, Rule>> = {
  change: { may: mayUpdate, refusal: `${makers} change a video`, remote: "This video belongs to another instance" },
  remove: { may: mayRemove, refusal: `${makers} delete a video` },
  seeSource: { may: mayUpdate, refusal: `${makers} see the source of a video` },
  seeFigures: {
    may: maySeeFigures,
    refusal: `${makers} see the statistics of a video`,
    remote: "The statistics of a video are kept by its own instance"
  },
  give: {
    may: (video, user) => Option.isSome(user) && mayGive(video, user.value),
    refusal: "Only the owner may transfer a video"
  }
}

/** Opens videos to those who may do more than watch them. */
export class VideoPermissions extends Context.Service<
  VideoPermissions,
  {
    /** The video, if the request may see it and its user may do this to it. */
    readonly open: (
      id: VideoIdOrUuid,
      presented: Presented,
      action: VideoAction
    ) => Effect.Effect<VideoFacts, AccessRefused | Forbidden>
  }
>()("@kinora/node/video/list/VideoPermissions") {
  static readonly layer = Layer.effect(
    VideoPermissions,
    Effect.gen(function* () {
      const access = yield* VideoAccess
      const open = Effect.fnUntraced(function* (id: VideoIdOrUuid, presented: Presented, action: VideoAction) {
        const video = yield* access.open(id, presented)
        const { may, refusal, remote } = rules[action]
        if (video.remote && remote !== undefined) return yield* new Forbidden({ reason: remote })
        return may(video, presented.user) ? video : yield* new Forbidden({ reason: refusal })
      })
      return VideoPermissions.of({ open })
    })
  )
}
