import { defaultPage } from "@kinora/domain/requests/Pagination"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { NotificationRows } from "@kinora/storage/social/notification/NotificationRows"
import { Effect, Layer } from "effect"
import { type Answers, answer } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"

const newestFirst = { by: "createdAt", descending: true } as const

/** Notifications of the user who asks. */
export const layer = apiGroup(
  "notifications",
  Effect.fnUntraced(function* (handlers) {
    const rows = yield* NotificationRows
    return handlers.handleAll({
      getUsersMeNotifications: ({ query: { sort = newestFirst, typeOneOf, unread, ...page } }) =>
        answer(
          Effect.flatMap(CurrentUser, (user) =>
            rows.list(
              { userId: user.id, accountId: user.accountId },
              { ...defaultPage, ...page, sort, unread, types: typeOneOf }
            )
          )
        ),
      postUsersMeNotificationsRead: ({ payload }) =>
        answer(Effect.flatMap(CurrentUser, (user) => rows.read(user.id, payload.ids))),
      postUsersMeNotificationsReadAll: () => answer(Effect.flatMap(CurrentUser, (user) => rows.readAll(user.id)))
    } satisfies Answers<"notifications">)
  })
).pipe(Layer.provide(NotificationRows.layer))
