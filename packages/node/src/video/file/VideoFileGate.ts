import type { ProblemError } from "@kinora/domain/errors/ProblemError"
import { FileNotFound, VideoForbidden } from "@kinora/domain/errors/VideoErrors"
import type { VideoFacts } from "@kinora/storage/video/access/VideoFacts"
import { Context, Effect, Layer, Option } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { AccessTokens } from "../../people/session/AccessTokens.ts"
import { viewerOf } from "../../people/session/AuthenticationLayer.ts"
import { presented } from "../list/Presented.ts"
import { VideoAccess } from "../list/VideoAccess.ts"
import { isForEverybody } from "../list/VideoVisibility.ts"

/** The `videoFileToken` in a request's query. */
export const fileTokenOf = (request: HttpServerRequest): string | undefined => {
  const start = request.url.indexOf("?")
  return start === -1
    ? undefined
    : (new URLSearchParams(request.url.slice(start + 1)).get("videoFileToken") ?? undefined)
}

/**
 * Controls access to video files. `open` is for URLs without login: files of restricted videos appear as not found.
 * `guarded` is for the others: a bearer token, a video file token or the video's password opens them. `mixed` is for URLs
 * that are the same for both.
 */
export class VideoFileGate extends Context.Service<
  VideoFileGate,
  {
    readonly open: (video: Option.Option<VideoFacts>) => Effect.Effect<VideoFacts, FileNotFound>
    readonly guarded: (
      request: HttpServerRequest,
      video: Option.Option<VideoFacts>
    ) => Effect.Effect<VideoFacts, ProblemError>
    /** Whether the file is for everybody. Otherwise it opens as `guarded` says. */
    readonly mixed: (
      request: HttpServerRequest,
      video: Option.Option<VideoFacts>
    ) => Effect.Effect<boolean, ProblemError>
  }
>()("@kinora/node/files/VideoFileGate") {
  static readonly layer = Layer.effect(
    VideoFileGate,
    Effect.gen(function* () {
      const config = yield* KinoraConfig
      const tokens = yield* AccessTokens
      const access = yield* VideoAccess
      const asksForLogin = config.static_files.private_files_require_auth

      const guarded = Effect.fnUntraced(function* (request: HttpServerRequest, video: Option.Option<VideoFacts>) {
        // An invalid token is refused before anything about the file is revealed.
        const user = yield* viewerOf(tokens, request)
        if (Option.isNone(video)) return yield* new FileNotFound()
        if (!asksForLogin && !video.value.blacklisted) return video.value
        return yield* access
          .check(video.value, { ...presented(request, user), fileToken: fileTokenOf(request) }, "uuid")
          .pipe(
            Effect.catchTags({
              VideoNotFound: () => Effect.fail(new FileNotFound()),
              // File requests answer 403 where the API asks for a login or a password (contract: Static Video Files).
              UnauthorizedRequest: () => Effect.fail(new VideoForbidden()),
              VideoRequiresPassword: () => Effect.fail(new VideoForbidden())
            })
          )
      })

      const isOpen = (video: Option.Option<VideoFacts>): video is Option.Some<VideoFacts> =>
        Option.isSome(video) && isForEverybody(video.value)

      return VideoFileGate.of({
        guarded,
        mixed: (request, video) => (isOpen(video) ? Effect.succeed(true) : Effect.as(guarded(request, video), false)),
        open: (video) => (isOpen(video) ? Effect.succeed(video.value) : Effect.fail(new FileNotFound()))
      })
    })
  )
}
