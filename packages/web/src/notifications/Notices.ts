import { notificationText } from "@kinora/domain/text/NotificationText"
import type { Notification } from "@kinora/domain/wire/Notification"
import { type Answer, json, property } from "../api/Answer.ts"
import { element } from "../player/Dom.ts"
import { askAsUser } from "../session/Session.ts"

const path = "/api/v1/users/me/notifications"

export interface Page {
  readonly total: number
  readonly data: ReadonlyArray<Notification>
}

/** A page of the user's notifications, or the failed answer. */
export const askNotices = async (query: string): Promise<Page | Answer> => {
  const answer = await askAsUser(`${path}?${query}`)
  const data = property(answer.body, "data")
  return answer.ok && Array.isArray(data)
    ? { total: Number(property(answer.body, "total")), data: data as ReadonlyArray<Notification> }
    : answer
}

export const isPage = (it: Page | Answer): it is Page => "data" in it

/** `keepalive`: it arrives also when the page is left at this moment. */
const markRead = (id: number): Promise<Answer> =>
  askAsUser(`${path}/read`, { ...json("POST", { ids: [id] }), keepalive: true })

export const markAllRead = (): Promise<Answer> => askAsUser(`${path}/read-all`, { method: "POST" })

/** One notification as a link to what it is about; following it reads it. */
export const notice = (notification: Notification, onRead: () => void): HTMLLIElement => {
  const { path: to, title } = notificationText(notification, location.host)
  const time = new Date(notification.createdAt)
  const link = element(
    "a",
    { href: to, class: "notice" },
    element("span", { class: "notice-title", dir: "auto" }, title),
    element("time", { datetime: notification.createdAt }, time.toLocaleString())
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
