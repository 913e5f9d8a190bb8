import type { Forbidden } from "@kinora/domain/errors/AuthErrors"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import { CurrentUser, type CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { VideoFacts } from "@kinora/storage/video/access/VideoFacts"
import { Context, Effect, Layer, Option } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { presented } from "../list/Presented.ts"
import type { AccessRefused } from "../list/VideoAccess.ts"
import { VideoPermissions } from "../list/VideoPermissions.ts"

/** A video and the user who may edit it. */
export interface Editable {
  readonly user: CurrentUserShape
  readonly video: VideoFacts
}

/** Finds the video that a request edits. */
export class EditableVideos extends Context.Service<
  EditableVideos,
  {
    /** The video, if the user of the request may edit it. Nobody edits videos of other instances. */
    readonly open: (
      id: VideoIdOrUuid,
      request: HttpServerRequest
    ) => Effect.Effect<Editable, AccessRefused | Forbidden, CurrentUser>
  }
>()("@kinora/node/edit/EditableVideos") {
  static readonly layer = Layer.effect(
    EditableVideos,
    Effect.gen(function* () {
      const permissions = yield* VideoPermissions
      const open = Effect.fnUntraced(function* (id: VideoIdOrUuid, request: HttpServerRequest) {
        const user = yield* CurrentUser
        const video = yield* permissions.open(id, presented(request, Option.some(user)), "change")
        return { user, video }
      })
      return EditableVideos.of({ open })
    })
  )
}
