import { documentLanguage } from "../i18n/DocumentLanguage.ts"
import { isLoggedIn } from "../api/StoredSession.ts"
import { showAccount } from "./Account.ts"
import { listenToPageKeys } from "./PageKeys.ts"
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

/** Times to come are written in UTC by the server: here they are those of the viewer's clock. */
const showLocalTimes = (): void => {
  for (const it of document.querySelectorAll<HTMLTimeElement>("time[data-moment]")) {
    const format = new Intl.DateTimeFormat(documentLanguage(), { dateStyle: "medium", timeStyle: "short" })
    it.textContent = format.format(Date.parse(it.dateTime))
    delete it.dataset["moment"]
  }
}

/** Local times and buttons of cards, for those that have none yet. */
const treatCards = (): void => {
  showLocalTimes()
  showSensitive()
  const cards = [...document.querySelectorAll<HTMLElement>(".card[data-card]:not(:has(.card-later))")]
  if (!isLoggedIn() || cards.length === 0) return
  void import("../cards/WatchLater.ts").then(
    (it) => it.offerWatchLater(cards),
    () => {}
  )
}

/** What lists of cards can do besides; a list whose part does not load still is a list. Once for a page that has cards. */
const enhanceLists = (): void => {
  treatCards()
  if (document.querySelector(".card[data-card]") === null) return
  void import("../cards/HoverPreview.ts").then(
    (it) => it.offerPreviews(),
    () => {}
  )
  if (document.querySelector("a.more") === null) return
  void import("../cards/MoreCards.ts").then(
    (it) => it.offerMore(treatCards),
    () => {}
  )
}

/** Between two attempts of the page without a connection, in milliseconds. */
const offlineRetry = 5_000

/** Loads the page again once the instance answers: a connection may be there while the instance is away. */
const comeBack = (): void => {
  const attempt = async () => {
    const answer = await fetch("/service-worker.js", { cache: "no-store" }).catch(() => undefined)
    if (answer?.ok === true) location.reload()
  }
  addEventListener("online", () => void attempt())
  setInterval(() => void attempt(), offlineRetry)
}

/** A page of our own for when there is no connection; browsers that refuse it show theirs. */
const prepareOffline = (): void => {
  if (document.querySelector("[data-offline]") !== null && location.pathname !== "/offline") comeBack()
  if (!("serviceWorker" in navigator)) return
  // Not before what the page itself needs.
  addEventListener("load", () => {
    navigator.serviceWorker.register("/service-worker.js").catch(() => {})
  })
}

/** What every page shares. */
export const enhanceSite = (): void => {
  listenToPageKeys()
  prepareOffline()
  offerClosing()
  showAccount()
  showOwn()
  enhanceLists()
}
