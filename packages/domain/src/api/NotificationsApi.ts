import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { notificationListQuery, readNotifications } from "../requests/NotificationRequests.ts"
import { NotificationList } from "../wire/Notification.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const notifications = "/api/v1/users/me/notifications"

/** Notifications of the logged-in user; their settings are in `MyUserApi`. */
export class NotificationsApi extends HttpApiGroup.make("notifications", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getUsersMeNotifications", notifications, {
      query: notificationListQuery,
      success: NotificationList
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "List the user's notifications, newest first", problems: problems(400) }),
    HttpApiEndpoint.post("postUsersMeNotificationsRead", `${notifications}/read`, {
      payload: readNotifications,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Mark notifications as read", problems: problems(400) }),
    HttpApiEndpoint.post("postUsersMeNotificationsReadAll", `${notifications}/read-all`, {
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Mark all notifications as read" })
  )
  .annotate(OpenApi.Title, "My Notifications") {}
