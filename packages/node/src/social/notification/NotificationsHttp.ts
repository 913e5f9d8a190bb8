import { defaultPage } from "@kinora/domain/requests/Pagination"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { NotificationLists } from "@kinora/storage/social/notification/NotificationLists"
import { Effect } from "effect"
import { type Answers, answer } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { NotificationReading } from "./NotificationReading.ts"

const newestFirst = { by: "createdAt", descending: true } as const

/** Notifications of the user who asks. */
export const layer = apiGroup(
  "notifications",
  Effect.fnUntraced(function* (handlers) {
    const lists = yield* NotificationLists
    const reading = yield* NotificationReading
    return handlers.handleAll({
      getUsersMeNotifications: ({ query: { sort = newestFirst, typeOneOf, unread, ...page } }) =>
        answer(
          Effect.flatMap(CurrentUser, (user) =>
            lists.list(
              { userId: user.id, accountId: user.accountId },
              { ...defaultPage, ...page, sort, unread, types: typeOneOf }
            )
          )
        ),
      postUsersMeNotificationsRead: ({ payload }) =>
        answer(Effect.flatMap(CurrentUser, (user) => reading.read(user, payload.ids))),
      postUsersMeNotificationsReadAll: () => answer(Effect.flatMap(CurrentUser, reading.readAll))
    } satisfies Answers<"notifications">)
  })
)
