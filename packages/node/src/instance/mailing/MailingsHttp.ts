import { MailingNotFound } from "@kinora/domain/errors/ActorErrors"
import { defaultPage } from "@kinora/domain/requests/Pagination"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { MailingLists } from "@kinora/storage/instance/mailing/MailingLists"
import { Effect, Option } from "effect"
import { type Answers, answer } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { Mailings } from "./Mailings.ts"

/** Mails of administrators to users. */
export const layer = apiGroup(
  "mailings",
  Effect.fnUntraced(function* (handlers) {
    const mailings = yield* Mailings
    const lists = yield* MailingLists
    return handlers.handleAll({
      getUsersMailings: ({ query }) => {
        const { count, sort, start } = { ...defaultPage, ...query }
        return answer(lists.list({ start, count, descending: sort?.descending ?? true }))
      },
      postUsersMailings: ({ payload }) =>
        answer(
          Effect.gen(function* () {
            return { mailing: { id: yield* mailings.begin(yield* CurrentUser, payload) } }
          })
        ),
      postUsersMailingsPreview: ({ payload }) =>
        answer(Effect.flatMap(CurrentUser, (user) => mailings.preview(user, payload))),
      getUsersMailing: ({ params }) =>
        answer(
          Effect.gen(function* () {
            const found = yield* lists.byId(params.mailingId)
            return Option.isNone(found) ? yield* new MailingNotFound() : found.value
          })
        ),
      postUsersMailingsCancel: ({ params }) =>
        answer(Effect.flatMap(CurrentUser, (user) => mailings.cancel(user, params.mailingId)))
    } satisfies Answers<"mailings">)
  })
)
