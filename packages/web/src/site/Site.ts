import { isLoggedIn, read } from "../api/StoredSession.ts"
import { offerClosing } from "./Broadcast.ts"

/** What a user chose about sensitive videos is known to the browser alone. */
const showSensitive = (): void => {
  const thumbs = [...document.querySelectorAll<HTMLElement>(".thumb[data-nsfw]")]
  if (!isLoggedIn() || thumbs.length === 0) return
  // Without it, the instance's policy holds.
  void import("../session/SensitiveThumbs.ts").then(
    (it) => thumbs.forEach((thumb) => void it.treatThumb(thumb)),
    () => {}
  )
}

/** Fetches the next page that the link names and appends its cards, so one place (the server) draws cards. */
const loadMore = async (link: HTMLAnchorElement): Promise<void> => {
  const list = document.querySelector(".cards")
  if (list === null) return
  link.setAttribute("aria-busy", "true")
  try {
    // What is of one person alone comes to them alone.
    const mine = link.closest("[data-subscriptions]") !== null
    const answer = await fetch(link.href, {
      headers: { accept: "text/html", ...(mine ? { authorization: `Bearer ${read()?.access ?? ""}` } : {}) }
    })
    if (!answer.ok) throw new Error(`The server answered ${answer.status}`)
    const page = new DOMParser().parseFromString(await answer.text(), "text/html")
    const cards = Array.from(page.querySelectorAll(".cards > li"))
    list.append(...cards)
    showSensitive()
    const next = page.querySelector<HTMLAnchorElement>("a.more")
    if (next === null) link.remove()
    else link.setAttribute("href", next.getAttribute("href") ?? "")
    cards[0]?.querySelector("a")?.focus({ preventScroll: true })
  } catch {
    // Without a connection the link still is a link: following it shows the browser's own error page.
    location.href = link.href
  } finally {
    link.removeAttribute("aria-busy")
  }
}

/** Pages are the same for everybody: who is logged in is known to the browser alone. */
const showAccount = (): void => {
  if (!isLoggedIn()) return
  for (const link of document.querySelectorAll<HTMLAnchorElement>(':is(.nav, .foot) a[href="/login"]')) {
    link.href = "/my-account"
    link.textContent = "My account"
  }
}

/** What only those need who are logged in is loaded for them alone; a page whose part does not load works without it. */
const showOwn = (): void => {
  if (!isLoggedIn()) return
  const bell = document.querySelector<HTMLAnchorElement>("[data-bell]")
  if (bell !== null)
    void import("../notifications/NotificationBell.ts").then(
      (it) => it.attachBell(bell),
      () => (bell.hidden = false)
    )
  const links = [...document.querySelectorAll<HTMLElement>("[data-subscribe]")]
  if (links.length > 0)
    void import("../subscriptions/Button.ts").then(
      (it) => it.offerSubscribing(links),
      () => {}
    )
}

/** Whether the instance wants a video to play when its page is opened. */
export const playsAtOnce = (): boolean => document.body.dataset["autoplay"] !== "off"

/** What every page shares. */
export const enhanceSite = (): void => {
  offerClosing()
  showAccount()
  showOwn()
  showSensitive()
  document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element) || event.ctrlKey || event.metaKey || event.shiftKey) return
    const link = event.target.closest<HTMLAnchorElement>("a.more")
    if (link === null) return
    event.preventDefault()
    void loadMore(link)
  })
}
