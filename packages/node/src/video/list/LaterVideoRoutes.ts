import { RouteNotFound } from "@kinora/domain/errors/RequestErrors"
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { answer } from "../../platform/http/Answer.ts"

/** Operations of the contract that are not built yet and whose paths would be taken for the id of a video. */
const paths = ["/api/v1/videos/blacklist"] as const

/** They answer as any other path without a route. */
export const LaterVideoRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    for (const path of paths) yield* router.add("GET", path, answer(Effect.fail(new RouteNotFound())))
  })
)
