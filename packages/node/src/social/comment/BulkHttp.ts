import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { Effect } from "effect"
import { KnownAccounts } from "../../people/account/KnownAccounts.ts"
import { type Answers, answer } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { CommentRemovals } from "./CommentRemovals.ts"

/** What is done to many at once. */
export const layer = apiGroup(
  "bulk",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* KnownAccounts
    const removals = yield* CommentRemovals

    return handlers.handleAll({
      bulkRemoveCommentsOf: ({ payload }) =>
        answer(
          Effect.gen(function* () {
            const user = yield* CurrentUser
            const accountId = yield* accounts.find(payload.accountName)
            yield* removals.removeAllOf(user, accountId, payload.scope)
          })
        )
    } satisfies Answers<"bulk">)
  })
)
