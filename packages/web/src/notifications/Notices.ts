import { messages } from "@kinora/domain/messages/en/notices"
import { notificationText } from "@kinora/domain/text/NotificationText"
import type { Notification } from "@kinora/domain/wire/Notification"
import type { Answer } from "../api/Answer.ts"
import { call } from "../api/Call.ts"
import type { Input, Output } from "../api/Endpoints.ts"
import { documentLanguage } from "../i18n/DocumentLanguage.ts"
import { pageText } from "../i18n/PageText.ts"
import { element } from "../player/Dom.ts"

const t = pageText("notices", messages)

type NoticesQuery = NonNullable<Input<"GET /api/v1/users/me/notifications">["query"]>

/** A page of the user's notifications. */
export const askNotices = (query: NoticesQuery): Promise<Answer<Output<"GET /api/v1/users/me/notifications">>> =>
  call("GET /api/v1/users/me/notifications", { query })

/** `keepalive`: it arrives also when the page is left at this moment. */
const markRead = (id: number): Promise<Answer> =>
  call("POST /api/v1/users/me/notifications/read", { body: { ids: [id] }, keepalive: true })

export const markAllRead = (): Promise<Answer> => call("POST /api/v1/users/me/notifications/read-all")

/** One notification as a link to what it is about; following it reads it. */
export const notice = (notification: Notification, onRead: () => void): HTMLLIElement => {
  const { path: to, title } = notificationText(notification, location.host, t)
  const time = new Date(notification.createdAt)
  const link = element(
    "a",
    { href: to, class: "notice" },
    element("span", { class: "notice-title", dir: "auto" }, title),
    element("time", { datetime: notification.createdAt }, time.toLocaleString(documentLanguage()))
  )
  const item = element("li", { class: notification.read ? false : "unread", "data-id": notification.id }, link)
  link.addEventListener("click", () => {
    if (!item.classList.contains("unread")) return
    item.classList.remove("unread")
    void markRead(notification.id)
    onRead()
  })
  return item
}
