import { call } from "../api/Call.ts"
import { failureText } from "../forms/Outcome.ts"
import { element } from "../player/Dom.ts"
import { pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/subscriptions.ts"

const t = pageText("subscriptions", messages)

/** Makes a button of each way to log in that stands for following a channel. */
export const offerSubscribing = async (links: ReadonlyArray<HTMLElement>): Promise<void> => {
  const handles = links.map((link) => link.dataset["subscribe"] ?? "")
  const known = await call("GET /api/v1/users/me/subscriptions/exist", { query: { uris: handles } })
  if (!known.ok) return
  links.forEach((link, n) => {
    const handle = handles[n]!
    let follows = known.body[handle] === true
    const button = element("button", { type: "button", class: "subscribe" })
    const outcome = element("span", { class: "sr", role: "status" })
    const show = (): void => {
      button.textContent = t(follows ? "subscribed" : "subscribe")
      button.setAttribute("aria-pressed", String(follows))
      button.classList.toggle("on", follows)
    }
    button.addEventListener("click", () => {
      button.disabled = true
      const change = follows
        ? call("DELETE /api/v1/users/me/subscriptions/:subscriptionHandle", { params: { subscriptionHandle: handle } })
        : call("POST /api/v1/users/me/subscriptions", { body: { uri: handle } })
      void change.then((answer) => {
        button.disabled = false
        if (answer.ok || (follows && answer.status === 404)) {
          follows = !follows
          outcome.textContent = t(follows ? "follows" : "followsNot")
        } else {
          outcome.textContent = failureText(answer, undefined)
          button.title = outcome.textContent
        }
        show()
      })
    })
    show()
    link.replaceWith(button, outcome)
  })
}
