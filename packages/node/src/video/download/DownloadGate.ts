import type { ProblemError } from "@kinora/domain/errors/ProblemError"
import { DownloadDisabled, FileNotFound, VideoForbidden } from "@kinora/domain/errors/VideoErrors"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import { type VideoAccess as VideoRow, VideoReads } from "@kinora/storage/video/read/VideoReads"
import { Context, Effect, Layer, Option } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { fileTokenOf } from "../file/VideoFileGate.ts"
import { AccessTokens } from "../../people/session/AccessTokens.ts"
import { viewerOf } from "../../people/session/AuthenticationLayer.ts"
import { presented } from "../list/Presented.ts"
import { VideoAccess } from "../list/VideoAccess.ts"
import { VideoFileTokens } from "../list/VideoFileTokens.ts"
import { mayUpdate } from "../list/VideoRights.ts"
import { namedBy } from "../list/VideoVisibility.ts"

/**
 * Decides who may download a video: everybody who may see it (with a bearer token, a video file token or its password),
 * if its owner allows downloads, and always those who may edit it.
 */
export class DownloadGate extends Context.Service<
  DownloadGate,
  {
    readonly open: (request: HttpServerRequest, id: VideoIdOrUuid) => Effect.Effect<VideoRow, ProblemError>
    /**
     * The source file of a video: for those who may edit the video, and for holders of a video file token from one of
     * them.
     */
    readonly openSource: (request: HttpServerRequest, id: VideoIdOrUuid) => Effect.Effect<VideoRow, ProblemError>
  }
>()("@kinora/node/downloads/DownloadGate") {
  static readonly layer = Layer.effect(
    DownloadGate,
    Effect.gen(function* () {
      const access = yield* VideoAccess
      const fileTokens = yield* VideoFileTokens
      const reads = yield* VideoReads
      const tokens = yield* AccessTokens

      /** File requests answer 404 and 403 where the API has more specific errors (contract: Video Download). */
      const asFile = {
        VideoNotFound: () => Effect.fail(new FileNotFound()),
        UnauthorizedRequest: () => Effect.fail(new VideoForbidden()),
        VideoRequiresPassword: () => Effect.fail(new VideoForbidden())
      }

      const open = Effect.fnUntraced(
        function* (request: HttpServerRequest, id: VideoIdOrUuid) {
          // An invalid token is refused before anything about the video is revealed.
          const user = yield* viewerOf(tokens, request)
          const brought = { ...presented(request, user), fileToken: fileTokenOf(request) }
          const video = yield* access
            .check(yield* reads.access(id), brought, namedBy(id))
            .pipe(Effect.catchTags(asFile))
          if (!video.downloadEnabled && !mayUpdate(video, user)) return yield* new DownloadDisabled()
          return video
        },
        Effect.catchTag("VideoNotFound", asFile.VideoNotFound)
      )

      const openSource = Effect.fnUntraced(
        function* (request: HttpServerRequest, id: VideoIdOrUuid) {
          const user = yield* viewerOf(tokens, request)
          const video = yield* reads.access(id)
          const fileToken = fileTokenOf(request)
          if (mayUpdate(video, user)) return video
          const reason = fileToken === undefined ? Option.none() : yield* fileTokens.reason(fileToken, video)
          if (Option.isSome(reason) && reason.value._tag === "User" && mayUpdate(video, Option.some(reason.value.user)))
            return video
          return yield* new VideoForbidden()
        },
        Effect.catchTag("VideoNotFound", asFile.VideoNotFound)
      )

      return DownloadGate.of({ open, openSource })
    })
  )
}
