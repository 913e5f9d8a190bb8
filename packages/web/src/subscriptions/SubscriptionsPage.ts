import { isLoggedIn, read } from "../api/StoredSession.ts"
import { call } from "../api/Call.ts"
import { pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/subscriptions.ts"

const t = pageText("subscriptions", messages)

/** Asks for the page as the user who is logged in: the server draws the same one with their videos. */
export const showSubscriptions = async (place: HTMLElement): Promise<void> => {
  if (!isLoggedIn()) return
  const outcome = place.querySelector("[data-outcome]")
  if (outcome !== null) outcome.textContent = t("oneMoment")
  // A session that has run out is renewed by this, or ends.
  const known = await call("GET /api/v1/users/me/subscriptions", { query: { count: 0 } })
  if (known.status === 401) return location.replace("/login")
  try {
    const answer = await fetch(location.href, {
      headers: { accept: "text/html", authorization: `Bearer ${read()?.access ?? ""}` }
    })
    const page = new DOMParser().parseFromString(await answer.text(), "text/html")
    const filled = page.querySelector("[data-subscriptions]")
    if (!answer.ok || filled === null || filled.querySelector("[data-outcome]") !== null) throw new Error("no list")
    place.replaceChildren(...filled.childNodes)
  } catch {
    if (outcome !== null) outcome.textContent = t("notLoaded")
  }
}
