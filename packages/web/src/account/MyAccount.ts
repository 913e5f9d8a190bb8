import { call } from "../api/Call.ts"
import type { Output } from "../api/Endpoints.ts"
import { failureText } from "../forms/Outcome.ts"
import { isLoggedIn } from "../api/StoredSession.ts"
import { logout } from "../session/Session.ts"
import { element, time } from "./Parts.ts"

const loginPage = "/login"

type TokenSession = Output<"GET /api/v1/users/:id/token-sessions">["data"][number]

/** One session: where it was begun and last used, and a button that ends it. */
const sessionItem = (userId: number, session: TokenSession): HTMLLIElement => {
  const item = document.createElement("li")
  const isThis = session.currentSession
  item.append(
    element("strong", isThis ? "This session" : session.lastActivityDevice || "Unknown device"),
    element("span", `Last used ${time(session.lastActivityDate)} from ${session.lastActivityIP}`),
    element("span", `Begun ${time(session.loginDate)} from ${session.loginIP}`)
  )
  if (isThis) return item
  const end = element("button", "End this session")
  end.type = "button"
  end.addEventListener("click", () => {
    end.disabled = true
    void call("POST /api/v1/users/:id/token-sessions/:tokenSessionId/revoke", {
      params: { id: userId, tokenSessionId: session.id }
    }).then((answer) => {
      if (answer.ok || answer.status === 404) return item.remove()
      end.disabled = false
      item.append(element("span", failureText(answer, undefined)))
    })
  })
  item.append(end)
  return item
}

const showSessions = async (root: HTMLElement, userId: number): Promise<void> => {
  const list = root.querySelector("[data-sessions]")
  const answer = await call("GET /api/v1/users/:id/token-sessions", { params: { id: userId }, query: { count: 100 } })
  if (!answer.ok) {
    list?.replaceChildren(element("li", failureText(answer, undefined)))
    return
  }
  list?.replaceChildren(...answer.body.data.map((session) => sessionItem(userId, session)))
}

/** Fills the page of the user's own account; who is not logged in is sent to log in. */
export const showMyAccount = async (root: HTMLElement): Promise<void> => {
  if (!isLoggedIn()) return location.replace(loginPage)
  const me = await call("GET /api/v1/users/me")
  if (me.status === 401) return location.replace(loginPage)
  const outcome = root.querySelector<HTMLElement>(".outcome")
  if (!me.ok) {
    if (outcome !== null) outcome.textContent = failureText(me, undefined)
    return
  }
  for (const fact of root.querySelectorAll<HTMLElement>("[data-fact]")) {
    fact.textContent = fact.dataset["fact"] === "email" ? me.body.email : me.body.username
  }
  outcome?.remove()
  root.querySelector<HTMLElement>("[data-loaded]")!.hidden = false
  root.querySelector("[data-logout]")?.addEventListener("click", () => {
    void logout().then(() => location.assign("/"))
  })
  await showSessions(root, me.body.id)
}
