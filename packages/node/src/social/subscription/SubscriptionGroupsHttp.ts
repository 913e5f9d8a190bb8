import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { SubscriptionGroupLists } from "@kinora/storage/social/subscription/SubscriptionGroupLists"
import { Effect } from "effect"
import { type Answers, answer } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { SubscriptionGroups } from "./SubscriptionGroups.ts"

/** Groups in which the user who asks sorts the channels they follow. */
export const layer = apiGroup(
  "subscriptionGroups",
  Effect.fnUntraced(function* (handlers) {
    const lists = yield* SubscriptionGroupLists
    const groups = yield* SubscriptionGroups
    return handlers.handleAll({
      getUsersMeSubscriptionGroups: () =>
        answer(
          Effect.gen(function* () {
            const data = yield* lists.of((yield* CurrentUser).id)
            return { total: data.length, data }
          })
        ),
      postUsersMeSubscriptionGroups: ({ payload }) =>
        answer(
          Effect.gen(function* () {
            return { subscriptionGroup: { id: yield* groups.add((yield* CurrentUser).id, payload) } }
          })
        ),
      putUsersMeSubscriptionGroupsByGroupId: ({ params, payload }) =>
        answer(Effect.flatMap(CurrentUser, ({ id }) => groups.update(id, params.groupId, payload))),
      deleteUsersMeSubscriptionGroupsByGroupId: ({ params }) =>
        answer(Effect.flatMap(CurrentUser, ({ id }) => groups.remove(id, params.groupId)))
    } satisfies Answers<"subscriptionGroups">)
  })
)
