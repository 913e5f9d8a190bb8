import type { ProblemError } from "@kinora/domain/errors/ProblemError"
import { Context, type Effect } from "effect"
import type { HttpServerResponse } from "effect/http"

type Answered = Effect.Effect<HttpServerResponse.HttpServerResponse, ProblemError>

/**
 * Answers for page addresses when the client asks for an ActivityPub object. Ids and handles are as in the address, which
 * `url` is.
 */
export class ActivityPubResponder extends Context.Service<
  ActivityPubResponder,
  {
    video(id: string, url: string): Answered
    playlist(id: string, url: string): Answered
    /** `any`: as handles name them, which accounts and channels share. */
    actor(nameWithHost: string, kind: "account" | "channel" | "any"): Answered
  }
>()("@kinora/node/pages/ActivityPubResponder") {}
