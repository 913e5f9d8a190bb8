import { Api } from "@kinora/domain/api/Api"
import { HomepageNotFound } from "@kinora/domain/errors/ServiceErrors"
import { Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../platform/http/Answer.ts"
import { Homepage } from "./Homepage.ts"

/** The homepage an administrator wrote. */
export const layer = HttpApiBuilder.group(
  Api,
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
      putCustomPagesHomepageInstance: ({ payload }) => answer(homepage.write(payload.content ?? ""))
    })
  })
)
