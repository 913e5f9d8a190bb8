import type { Notification } from "@kinora/domain/wire/Notification"
import { call } from "../api/Call.ts"
import { failureText } from "../forms/Outcome.ts"
import { isLoggedIn } from "../api/StoredSession.ts"
import { askNotices, markAllRead, notice } from "./Notices.ts"
import { pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/bell.ts"

const t = pageText("bell", messages)

const perPage = 20
const loginPage = "/login"

/** The bell in the header updates its count. */
const updateBell = (): void => void document.dispatchEvent(new CustomEvent("kinora:read"))

const say = (outcome: Element | null, text: string, failed = false): void => {
  if (outcome === null) return
  outcome.textContent = text
  outcome.classList.toggle("failed", failed)
}

/** Boxes for each kind and way; each change is sent at once, and taken back when it is refused. */
const offerSettings = (root: HTMLElement, chosen: Readonly<Record<string, number>>): void => {
  const outcome = root.querySelector("[data-settings-outcome]")
  const boxes = [...root.querySelectorAll<HTMLInputElement>("[data-settings] input")]
  for (const box of boxes) {
    box.checked = ((chosen[box.name] ?? 0) & Number(box.value)) !== 0
    box.addEventListener("change", () => {
      const ways = boxes
        .filter((it) => it.name === box.name && it.checked)
        .reduce((sum, it) => sum | Number(it.value), 0)
      void call("PUT /api/v1/users/me/notification-settings", { body: { [box.name]: ways } }).then((answer) => {
        if (!answer.ok) box.checked = !box.checked
        say(outcome, answer.ok ? t("saved") : failureText(answer, undefined), !answer.ok)
      })
    })
  }
}

/** Fills the page of notifications; who is not logged in is sent to log in. */
export const showNotifications = async (root: HTMLElement): Promise<void> => {
  if (!isLoggedIn()) return location.replace(loginPage)
  const outcome = root.querySelector("[data-outcome]")
  const list = root.querySelector<HTMLElement>("[data-notices]")!
  const more = root.querySelector<HTMLButtonElement>("[data-more]")!
  const [me, first] = await Promise.all([call("GET /api/v1/users/me"), askNotices({ count: perPage })])
  if (me.status === 401) return location.replace(loginPage)
  if (!me.ok || !first.ok) return say(outcome, failureText(me.ok ? first : me, undefined), true)

  let total = first.body.total
  const showState = (): void => {
    say(outcome, list.childElementCount === 0 ? t("none") : "")
    more.hidden = list.childElementCount >= total
  }
  const item = (notification: Notification) => notice(notification, updateBell)
  list.replaceChildren(...first.body.data.map(item))
  showState()

  more.addEventListener("click", () => {
    more.disabled = true
    void askNotices({ start: list.childElementCount, count: perPage }).then((page) => {
      more.disabled = false
      if (!page.ok) return say(outcome, failureText(page, undefined), true)
      total = page.body.total
      const items = page.body.data.map(item)
      list.append(...items)
      showState()
      items[0]?.querySelector("a")?.focus()
    })
  })
  root.querySelector("[data-read-all]")?.addEventListener("click", () => {
    void markAllRead().then((answer) => {
      if (!answer.ok) return say(outcome, failureText(answer, undefined), true)
      for (const unread of list.querySelectorAll(".unread")) unread.classList.remove("unread")
      updateBell()
    })
  })
  document.addEventListener("kinora:notification", (event) => {
    list.prepend(item((event as CustomEvent<Notification>).detail))
    total++
    showState()
  })
  offerSettings(root, me.body.notificationSettings ?? {})
  root.querySelector<HTMLElement>("[data-loaded]")!.hidden = false
  if (location.hash === "#settings") root.querySelector("#settings")?.scrollIntoView()
}
