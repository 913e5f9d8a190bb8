import { property } from "../api/Answer.ts"
import { failureText } from "../forms/Outcome.ts"
import { isLoggedIn } from "../api/StoredSession.ts"
import { askAsUser, logout } from "../session/Session.ts"
import { showArchives } from "./Archives.ts"
import { element, textAt, time } from "./Parts.ts"

const loginPage = "/login"

/** One session: where it was begun and last used, and a button that ends it. */
const sessionItem = (userId: string, session: unknown): HTMLLIElement => {
  const item = document.createElement("li")
  const isThis = property(session, "currentSession") === true
  item.append(
    element("strong", isThis ? "This session" : textAt(session, "lastActivityDevice") || "Unknown device"),
    element("span", `Last used ${time(textAt(session, "lastActivityDate"))} from ${textAt(session, "lastActivityIP")}`),
    element("span", `Begun ${time(textAt(session, "loginDate"))} from ${textAt(session, "loginIP")}`)
  )
  if (isThis) return item
  const end = element("button", "End this session")
  end.type = "button"
  end.addEventListener("click", () => {
    end.disabled = true
    void askAsUser(`/api/v1/users/${userId}/token-sessions/${textAt(session, "id")}/revoke`, { method: "POST" }).then(
      (answer) => {
        if (answer.ok || answer.status === 404) return item.remove()
        end.disabled = false
        item.append(element("span", failureText(answer, undefined)))
      }
    )
  })
  item.append(end)
  return item
}

const showSessions = async (root: HTMLElement, userId: string): Promise<void> => {
  const list = root.querySelector("[data-sessions]")
  const answer = await askAsUser(`/api/v1/users/${userId}/token-sessions?count=100`)
  const data = property(answer.body, "data")
  if (!answer.ok || !Array.isArray(data)) {
    list?.replaceChildren(element("li", failureText(answer, undefined)))
    return
  }
  list?.replaceChildren(...data.map((session: unknown) => sessionItem(userId, session)))
}

/** Fills the page of the user's own account; who is not logged in is sent to log in. */
export const showMyAccount = async (root: HTMLElement): Promise<void> => {
  if (!isLoggedIn()) return location.replace(loginPage)
  const me = await askAsUser("/api/v1/users/me")
  if (me.status === 401) return location.replace(loginPage)
  const outcome = root.querySelector<HTMLElement>(".outcome")
  if (!me.ok) {
    if (outcome !== null) outcome.textContent = failureText(me, undefined)
    return
  }
  for (const fact of root.querySelectorAll<HTMLElement>("[data-fact]")) {
    fact.textContent = textAt(me.body, fact.dataset["fact"] ?? "")
  }
  outcome?.remove()
  root.querySelector<HTMLElement>("[data-loaded]")!.hidden = false
  root.querySelector("[data-logout]")?.addEventListener("click", () => {
    void logout().then(() => location.assign("/"))
  })
  const userId = textAt(me.body, "id")
  await Promise.all([showSessions(root, userId), showArchives(root, userId)])
}
