import { Api } from "@kinora/domain/api/Api"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { KnownAccounts } from "../../people/account/KnownAccounts.ts"
import { answer } from "../../platform/http/Answer.ts"
import { Comments } from "./Comments.ts"

/** What is done to many at once. */
export const layer = HttpApiBuilder.group(
  Api,
  "bulk",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* KnownAccounts
    const comments = yield* Comments

    return handlers.handleAll({
      bulkRemoveCommentsOf: ({ payload }) =>
        answer(
          Effect.gen(function* () {
            const user = yield* CurrentUser
            const accountId = yield* accounts.find(payload.accountName)
            yield* comments.removeAllOf(user, accountId, payload.scope)
          })
        )
    })
  })
)
