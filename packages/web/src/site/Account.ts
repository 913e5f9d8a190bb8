import { isLoggedIn } from "../api/StoredSession.ts"
import { pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/site.ts"

const t = pageText("site", messages)

/** Pages on which one logs in or registers: nobody wants to come back to them. */
const doors = ["/login", "/signup", "/reset-password", "/verify-account"]

/** The login page leads back to where one was. */
const comeBack = (link: HTMLAnchorElement): void => {
  if (location.pathname === "/" || doors.some((it) => location.pathname.startsWith(it))) return
  link.href = `/login?next=${encodeURIComponent(location.pathname + location.search)}`
}

/** Pages are the same for everybody: who is logged in is known to the browser alone. */
export const showAccount = (): void => {
  const links = document.querySelectorAll<HTMLAnchorElement>(':is(.nav, .foot) a[href="/login"]')
  if (!isLoggedIn()) return links.forEach(comeBack)
  for (const link of links) {
    link.href = "/my/settings"
    link.textContent = t("myAccount")
  }
  const link = document.querySelector<HTMLAnchorElement>('.nav a[href="/my/settings"]')
  if (link === null) return
  void import("./AccountMenu.ts").then(
    (it) => it.offerAccountMenu(link),
    () => {}
  )
}
