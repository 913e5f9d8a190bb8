import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { Effect } from "effect"
import { type Answers, answer, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { VideoImports } from "./VideoImports.ts"

/** The endpoints of video imports. */
export const layer = apiGroup(
  "videoImports",
  Effect.fnUntraced(function* (handlers) {
    const imports = yield* VideoImports

    return handlers.handleAll({
      importVideo: ({ request }) =>
        answer(Effect.flatMap(CurrentUser, (user) => Effect.map(imports.receive(user, request), jsonText))),
      postVideosImportsCancel: ({ params }) =>
        answer(Effect.flatMap(CurrentUser, (user) => imports.cancel(user, params.id))),
      postVideosImportsRetry: ({ params }) =>
        answer(Effect.flatMap(CurrentUser, (user) => imports.retry(user, params.id))),
      deleteVideosImportsById: ({ params }) =>
        answer(Effect.flatMap(CurrentUser, (user) => imports.remove(user, params.id)))
    } satisfies Answers<"videoImports">)
  })
)
