import { hasRight } from "@kinora/domain/enums/UserRight"
import { userRoles } from "@kinora/domain/enums/UserRole"
import { call } from "../api/Call.ts"
import { closingMenu } from "../dialogs/ClosingMenu.ts"
import { pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/accountMenu.ts"
import { element, icon } from "../player/Dom.ts"
import { logout } from "../session/Session.ts"

const t = pageText("accountMenu", messages)

/** Where a user goes most. The pages of the working areas list the rest. */
const places = [
  ["/my/upload", "upload"],
  ["/my/videos", "videos"],
  ["/my/subscriptions", "subscriptions"],
  ["/my-library/video-playlists", "playlists"],
  ["/my/history", "history"],
  ["/my/settings", "settings"]
] as const

/** The way to a live, beside uploads, where the instance takes lives. */
const offerLive = async (items: HTMLElement): Promise<void> => {
  const config = await call("GET /api/v1/config")
  if (config.body?.live.enabled !== true) return
  items.querySelector('a[href="/my/upload"]')?.after(element("a", { href: "/my/lives/new" }, t("goLive")))
}

/** Who is logged in, and the way to the administration for those who may go there. */
const fill = async (name: HTMLElement, items: HTMLElement): Promise<void> => {
  void offerLive(items)
  const answer = await call("GET /api/v1/users/me")
  if (!answer.ok) return
  name.textContent = answer.body.account.displayName
  name.hidden = false
  const role = userRoles.find((it) => it === answer.body.role.id)
  if (role === undefined || !hasRight(role, "MANAGE_ABUSES")) return
  items.querySelector('a[href="/my/settings"]')?.before(element("a", { href: "/admin" }, t("administration")))
}

/** A button in place of the link to the account, with what a user goes to most, and the way out. */
export const offerAccountMenu = (link: HTMLAnchorElement): void => {
  const name = element("strong", { dir: "auto", hidden: true })
  const out = element("button", { type: "button" }, t("logOut"))
  const items = element("div", { class: "menu-items" }, name)
  items.append(...places.map(([href, key]) => element("a", { href }, t(key))), out)
  const summary = element("summary", { "aria-label": t("account"), title: t("account") }, icon("person"))
  const menu = closingMenu(element("details", { class: "menu account" }, summary, items))
  menu.addEventListener("toggle", () => void fill(name, items), { once: true })
  out.addEventListener("click", () => void logout().then(() => location.assign("/")))
  link.closest("nav")?.after(menu)
  link.remove()
}
