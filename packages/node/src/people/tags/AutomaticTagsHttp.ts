import { AutomaticTagPolicy } from "@kinora/domain/enums/AutomaticTag"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { Effect } from "effect"
import { type Answers, answer } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { Watchers } from "../words/Watchers.ts"
import { AutomaticTags } from "./AutomaticTags.ts"

const { blockVideo, reviewComment } = AutomaticTagPolicy

/** What becomes of comments and videos that have automatic tags. */
export const layer = apiGroup(
  "automaticTags",
  Effect.fnUntraced(function* (handlers) {
    const { account, instance } = yield* Watchers
    const ours = Effect.flatMap(CurrentUser, instance)
    const tags = yield* AutomaticTags

    return handlers.handleAll({
      getAutomaticTagsPoliciesAccountsComments: ({ params }) =>
        answer(
          Effect.flatMap(account(params.accountName), (watcher) =>
            Effect.map(tags.chosen(watcher, reviewComment), (review) => ({ review }))
          )
        ),
      putAutomaticTagsPoliciesAccountsComments: ({ params, payload }) =>
        answer(
          Effect.flatMap(account(params.accountName), (watcher) =>
            tags.choose(watcher, reviewComment, payload.review ?? [])
          )
        ),
      getAutomaticTagsAccountsAvailable: ({ params }) =>
        answer(Effect.flatMap(account(params.accountName), tags.available)),
      getAutomaticTagsServerAvailable: () => answer(Effect.flatMap(ours, tags.available)),
      getServerVideoAutoTagPolicies: () =>
        answer(
          Effect.flatMap(ours, (watcher) =>
            Effect.map(tags.chosen(watcher, blockVideo), (autoBlock) => ({ autoBlock }))
          )
        ),
      updateServerVideoAutoTagPolicies: ({ payload }) =>
        answer(Effect.flatMap(ours, (watcher) => tags.choose(watcher, blockVideo, payload.autoBlock)))
    } satisfies Answers<"automaticTags">)
  })
)
