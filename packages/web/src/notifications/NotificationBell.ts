import type { Notification } from "@kinora/domain/wire/Notification"
import { failureText } from "../forms/Outcome.ts"
import { element } from "../player/Dom.ts"
import { listen } from "./Live.ts"
import { askNotices, notice } from "./Notices.ts"
import { pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/bell.ts"

const t = pageText("bell", messages)

const shown = 8

/** The event other parts of the page receive with a new notification. */
const newNotification = "kinora:notification"

/** Shows how much is unread, and the latest on a click; without a script's help the bell is a link to the whole list. */
export const attachBell = (bell: HTMLAnchorElement): void => {
  const badge = bell.querySelector<HTMLElement>(".bell-count")!
  const list = element("ul", { class: "notices" })
  const outcome = element("p", { class: "none", role: "status" })
  const panel = element(
    "div",
    { class: "bell-panel", role: "region", "aria-label": t("latest"), id: "bell-panel", hidden: true },
    outcome,
    list,
    element(
      "p",
      { class: "bell-links" },
      element("a", { href: "/my-account/notifications" }, t("all")),
      element("a", { href: "/my/subscriptions" }, t("subscriptions"))
    )
  )
  let unread = 0

  const showUnread = (count: number): void => {
    unread = Math.max(0, count)
    badge.textContent = unread > 99 ? "99+" : String(unread)
    badge.hidden = unread === 0
    bell.setAttribute("aria-label", t("label", { count: unread }))
  }
  const count = async (): Promise<void> => {
    const page = await askNotices({ unread: true, count: 0 })
    if (page.ok) showUnread(page.body.total)
  }
  const item = (notification: Notification) => notice(notification, () => showUnread(unread - 1))

  const fill = async (): Promise<void> => {
    if (list.childElementCount === 0) outcome.textContent = t("oneMoment")
    const page = await askNotices({ count: shown })
    if (!page.ok) {
      outcome.textContent = failureText(page, undefined)
      return
    }
    list.replaceChildren(...page.body.data.map(item))
    outcome.textContent = page.body.data.length === 0 ? t("nothing") : ""
  }

  const toggle = (open: boolean): void => {
    panel.hidden = !open
    bell.setAttribute("aria-expanded", String(open))
    if (open) void fill()
  }

  bell.hidden = false
  bell.setAttribute("aria-expanded", "false")
  bell.setAttribute("aria-controls", panel.id)
  bell.after(panel)
  bell.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    toggle(panel.hidden !== false)
  })
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || panel.hidden) return
    const within = panel.contains(document.activeElement)
    toggle(false)
    if (within) bell.focus()
  })
  document.addEventListener("click", (event) => {
    if (panel.hidden || !(event.target instanceof Node)) return
    if (!panel.contains(event.target) && !bell.contains(event.target)) toggle(false)
  })
  document.addEventListener("kinora:read", () => void count())

  void count()
  void listen({
    connected: () => void count(),
    notified: (notification) => {
      showUnread(unread + 1)
      if (!panel.hidden) {
        outcome.textContent = ""
        list.prepend(item(notification))
        while (list.childElementCount > shown) list.lastElementChild?.remove()
      }
      document.dispatchEvent(new CustomEvent(newNotification, { detail: notification }))
    }
  })
}
