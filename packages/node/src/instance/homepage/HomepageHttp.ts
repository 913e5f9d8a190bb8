import { HomepageNotFound } from "@kinora/domain/errors/ServiceErrors"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { Effect, Option } from "effect"
import { type Answers, answer } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { Homepage } from "./Homepage.ts"

/** The endpoints of the homepage. */
export const layer = apiGroup(
  "homepage",
  Effect.fnUntraced(function* (handlers) {
    const homepage = yield* Homepage
    return handlers.handleAll({
      getCustomPagesHomepageInstance: () =>
        answer(
          Effect.gen(function* () {
            const content = yield* homepage.content
            return Option.isNone(content) ? yield* new HomepageNotFound() : { content: content.value }
          })
        ),
      putCustomPagesHomepageInstance: ({ payload }) =>
        answer(Effect.flatMap(CurrentUser, (user) => homepage.write(user, payload.content ?? "")))
    } satisfies Answers<"homepage">)
  })
)
