import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { Effect } from "effect"
import { type Answers, answer } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { presentedByUser } from "../../video/list/Presented.ts"
import { VideoAccess } from "../../video/list/VideoAccess.ts"
import { Rates } from "./Rates.ts"

/** Likes and dislikes. */
export const layer = apiGroup(
  "rates",
  Effect.fnUntraced(function* (handlers) {
    const access = yield* VideoAccess
    const rates = yield* Rates

    return handlers.handleAll({
      putVideosRate: ({ params, payload, request }) =>
        answer(
          Effect.gen(function* () {
            const { accountId } = yield* CurrentUser
            const video = yield* access.open(params.id, yield* presentedByUser(request))
            yield* rates.set(accountId, video.id, payload.rating)
          })
        )
    } satisfies Answers<"rates">)
  })
)
