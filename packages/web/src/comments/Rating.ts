import { call } from "../api/Call.ts"
import { failureText } from "../forms/Outcome.ts"
import { element } from "../player/Dom.ts"
import { isLoggedIn } from "../api/StoredSession.ts"
import { around, pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/rating.ts"

const t = pageText("rating", messages)

type Rating = "like" | "dislike" | "none"

/** Makes both counts buttons: pressed is what one thinks, pressing it again takes it back. */
export const enhanceRating = async (
  root: HTMLElement,
  headers: () => Record<string, string> = () => ({})
): Promise<void> => {
  const id = root.dataset["rates"] ?? ""
  const buttons = Array.from(root.querySelectorAll<HTMLButtonElement>("button[data-rate]"))
  const status = element("span", { class: "rate-status", role: "status", "aria-live": "polite" })
  root.append(status)
  let rating: Rating = "none"
  let asking = false

  const count = (button: HTMLButtonElement, change: number) => {
    const place = button.querySelector("[data-count]")
    if (place !== null) place.textContent = String(Math.max(0, Number(place.textContent) + change))
  }
  const show = (next: Rating, counting: boolean) => {
    for (const button of buttons) {
      const name = button.dataset["rate"]
      if (counting) count(button, Number(name === next) - Number(name === rating))
      button.setAttribute("aria-pressed", String(name === next))
    }
    rating = next
  }

  const press = async (name: Rating) => {
    if (!isLoggedIn()) {
      status.replaceChildren(around((link) => t("toRate", { link }), element("a", { href: "/login" }, t("logIn"))))
      return
    }
    if (asking) return
    asking = true
    status.replaceChildren()
    const before = rating
    // Shown at once, and taken back when the server refuses.
    const next = name === before ? "none" : name
    show(next, true)
    const answer = await call("PUT /api/v1/videos/:id/rate", {
      params: { id },
      body: { rating: next },
      headers: headers()
    })
    asking = false
    if (answer.ok) return
    show(before, true)
    status.textContent = failureText(answer, undefined)
  }
  for (const button of buttons) {
    button.disabled = false
    button.addEventListener("click", () => void press(button.dataset["rate"] as Rating))
  }

  if (!isLoggedIn()) return
  const mine = await call("GET /api/v1/users/me/videos/:videoIdOrUUID/rating", {
    params: { videoIdOrUUID: id },
    headers: headers()
  })
  const known = mine.body?.rating
  // What was pressed meanwhile counts.
  if (rating === "none" && !asking && (known === "like" || known === "dislike")) show(known, false)
}
