import { Api } from "@kinora/domain/api/Api"
import { defaultPage } from "@kinora/domain/requests/Pagination"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { NotificationRows } from "@kinora/storage/social/notification/NotificationRows"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer, jsonText } from "../../platform/http/Answer.ts"

const newestFirst = { by: "createdAt", descending: true } as const

/** What the user who asks is told of. */
export const layer = HttpApiBuilder.group(
  Api,
  "notifications",
  Effect.fnUntraced(function* (handlers) {
    const rows = yield* NotificationRows
    return handlers.handleAll({
      getUsersMeNotifications: ({ query: { sort = newestFirst, typeOneOf, unread, ...page } }) =>
        answer(
          Effect.flatMap(CurrentUser, (user) =>
            Effect.map(
              rows.list(
                { userId: user.id, accountId: user.accountId },
                { ...defaultPage, ...page, sort, unread, types: typeOneOf }
              ),
              jsonText
            )
          )
        ),
      postUsersMeNotificationsRead: ({ payload }) =>
        answer(Effect.flatMap(CurrentUser, (user) => rows.read(user.id, payload.ids))),
      postUsersMeNotificationsReadAll: () => answer(Effect.flatMap(CurrentUser, (user) => rows.readAll(user.id)))
    })
  })
).pipe(Layer.provide(NotificationRows.layer))
