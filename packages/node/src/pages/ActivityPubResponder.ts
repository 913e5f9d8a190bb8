import { ActorNotFound } from "@kinora/domain/errors/ActorErrors"
import { Problem, type ProblemError } from "@kinora/domain/errors/ProblemError"
import { VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import { parseVideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import { Context, Effect, Layer } from "effect"
import type { HttpServerResponse } from "effect/http"
import { PageActors, parseHandle } from "./PageActors.ts"
import { PageInstance } from "./PageInstance.ts"
import { PageVideos } from "./PageVideos.ts"
import { showing } from "./Visibility.ts"

/** The resource has no representation of the asked types (RFC 9110, 15.5.7). */
export class NotAcceptable extends Problem<NotAcceptable>()("NotAcceptable", {
  status: 406,
  detail: "This resource is not available as an ActivityPub object"
}) {}

/** Answers for page addresses when the client asks for an ActivityPub object. Ids and handles are as in the address. */
export class ActivityPubResponder extends Context.Service<
  ActivityPubResponder,
  {
    video(id: string): Effect.Effect<HttpServerResponse.HttpServerResponse, ProblemError>
    playlist(id: string): Effect.Effect<HttpServerResponse.HttpServerResponse, ProblemError>
    actor(
      nameWithHost: string,
      kind: "account" | "channel"
    ): Effect.Effect<HttpServerResponse.HttpServerResponse, ProblemError>
  }
>()("@kinora/node/pages/ActivityPubResponder") {
  /** For an instance that does not federate: 404 for what is not there or not public, 406 for the rest. */
  static readonly layerPagesOnly = Layer.effect(
    ActivityPubResponder,
    Effect.gen(function* () {
      const videos = yield* PageVideos
      const actors = yield* PageActors
      const ownHost = new URL((yield* PageInstance).origin).host
      return ActivityPubResponder.of({
        video: Effect.fn("ActivityPubResponder.video")(function* (id) {
          const parsed = parseVideoIdOrUuid(id)
          if (parsed === undefined) return yield* new VideoNotFound()
          const { facts } = yield* videos.byId(parsed)
          if ((yield* showing(facts, parsed)) === "pending") return yield* new VideoNotFound()
          return yield* new NotAcceptable()
        }),
        playlist: Effect.fn("ActivityPubResponder.playlist")(function* () {
          return yield* new NotAcceptable()
        }),
        actor: Effect.fn("ActivityPubResponder.actor")(function* (nameWithHost, kind) {
          const handle = parseHandle(nameWithHost, ownHost)
          if (handle === undefined) return yield* new ActorNotFound()
          yield* actors.byHandle(handle, kind)
          return yield* new NotAcceptable()
        })
      })
    })
  )
}
