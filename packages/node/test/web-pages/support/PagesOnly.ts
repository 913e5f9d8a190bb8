import { ActorNotFound } from "@kinora/domain/errors/ActorErrors"
import { Problem } from "@kinora/domain/errors/ProblemError"
import { VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import { parseVideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import { Effect, Layer } from "effect"
import { ActivityPubResponder } from "../../../src/federation/activitypub/ActivityPubResponder.ts"
import { PageActors, parseHandle } from "../../../src/web-pages/PageActors.ts"
import { PageInstance } from "../../../src/web-pages/PageInstance.ts"
import { PageVideos } from "../../../src/web-pages/PageVideos.ts"
import { showing } from "../../../src/web-pages/Visibility.ts"

/** The resource has no representation of the asked types (RFC 9110, 15.5.7). */
class NotAcceptable extends Problem<NotAcceptable>()("NotAcceptable", {
  status: 406,
  detail: "This resource is not available as an ActivityPub object"
}) {}

/** For tests of pages: 404 for what is not there or not public, 406 for the rest, to who asks for objects. */
export const PagesOnly = Layer.effect(
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
