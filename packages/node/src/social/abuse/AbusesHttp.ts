import { toAbuseListQuery } from "@kinora/domain/requests/AbuseRequests"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { AbuseLists } from "@kinora/storage/social/abuse/AbuseLists"
import { Effect } from "effect"
import { type Answers, answer } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { presentedByUser } from "../../video/list/Presented.ts"
import { AbuseMessages } from "./AbuseMessages.ts"
import { AbuseModeration } from "./AbuseModeration.ts"
import { Reports } from "./Reports.ts"

/** Reports to the moderators. */
export const layer = apiGroup(
  "abuses",
  Effect.fnUntraced(function* (handlers) {
    const lists = yield* AbuseLists
    const reports = yield* Reports
    const moderation = yield* AbuseModeration
    const messages = yield* AbuseMessages

    return handlers.handleAll({
      getMyAbuses: ({ query }) =>
        answer(Effect.flatMap(CurrentUser, (user) => lists.mine(user.accountId, toAbuseListQuery(query)))),
      getAbuses: ({ query }) =>
        answer(Effect.flatMap(CurrentUser, (user) => moderation.all(user, toAbuseListQuery(query)))),
      postAbuses: ({ payload, request }) =>
        answer(
          Effect.gen(function* () {
            const id = yield* reports.report(yield* CurrentUser, payload, yield* presentedByUser(request))
            return { abuse: { id } }
          })
        ),
      putAbusesByAbuseId: ({ params, payload }) =>
        answer(Effect.flatMap(CurrentUser, (user) => moderation.update(user, params.abuseId, payload))),
      deleteAbusesByAbuseId: ({ params }) =>
        answer(Effect.flatMap(CurrentUser, (user) => moderation.remove(user, params.abuseId))),
      getAbusesMessages: ({ params }) =>
        answer(Effect.flatMap(CurrentUser, (user) => messages.list(user, params.abuseId))),
      postAbusesMessages: ({ params, payload }) =>
        answer(
          Effect.gen(function* () {
            const id = yield* messages.write(yield* CurrentUser, params.abuseId, payload.message)
            return { abuseMessage: { id } }
          })
        ),
      deleteAbusesMessagesByAbuseMessageId: ({ params }) =>
        answer(Effect.flatMap(CurrentUser, (user) => messages.remove(user, params.abuseId, params.abuseMessageId)))
    } satisfies Answers<"abuses">)
  })
)
