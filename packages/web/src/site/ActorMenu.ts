import { call } from "../api/Call.ts"
import type { Answer } from "../api/Answer.ts"
import { closingMenu } from "../dialogs/ClosingMenu.ts"
import { openDialog } from "../dialogs/OpenDialog.ts"
import { openReportDialog } from "../dialogs/ReportDialog.ts"
import { failureText } from "../forms/Outcome.ts"
import { element } from "../player/Dom.ts"
import { pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/actorMenu.ts"

const t = pageText("actorMenu", messages)

/** An account as its page or a video names it: `name@host`, and its row id. */
export interface MenuAccount {
  readonly id: number
  readonly handle: string
}

const mute = (account: MenuAccount): Promise<Answer> =>
  call("POST /api/v1/users/me/blocklist/accounts", { body: { accountName: account.handle } })

const muteHost = (host: string): Promise<Answer> => call("POST /api/v1/users/me/blocklist/servers", { body: { host } })

/** Asks before it acts, and says in the same dialog what came of it. */
const confirmed = (title: string, words: string, label: string, done: string, act: () => Promise<Answer>): void => {
  const button = element("button", { type: "button", class: "button" }, label)
  const text = element("p", { role: "status", tabindex: -1 }, words)
  openDialog(title, text, button)
  button.addEventListener("click", () => {
    button.disabled = true
    void act().then((answer) => {
      // Muted already is muted.
      const isDone = answer.ok || answer.status === 409
      text.textContent = isDone ? done : failureText(answer, undefined)
      button.disabled = false
      if (isDone) button.remove()
      text.focus()
    })
  })
}

/** What one may do about an account: mute it or its instance, report it. */
export const actorMenu = (account: MenuAccount): HTMLElement => {
  const host = account.handle.split("@").pop() ?? ""
  const items: Array<readonly [string, () => void]> = [
    [
      t("muteAccount"),
      () =>
        confirmed(
          t("muteAccountAsk"),
          t("muteAccountText", { name: `@${account.handle}` }),
          t("mute"),
          t("muted"),
          () => mute(account)
        )
    ],
    [t("reportAccount"), () => openReportDialog({ kind: "account", id: account.id, title: `@${account.handle}` })]
  ]
  if (host !== location.host) {
    items.splice(1, 0, [
      t("muteInstance"),
      () =>
        confirmed(t("muteInstanceAsk"), t("muteInstanceText", { host }), t("mute"), t("muted"), () => muteHost(host))
    ])
  }
  const list = element("div", { class: "menu-items" })
  const menu = element("details", { class: "menu" }, element("summary", { "aria-label": t("more") }, "⋯"), list)
  for (const [label, act] of items) {
    const item = element("button", { type: "button" }, label)
    item.addEventListener("click", () => {
      menu.open = false
      act()
    })
    list.append(item)
  }
  return closingMenu(menu)
}

/** Reports the video of a page, above the rest. */
export const reportItem = (): HTMLButtonElement => element("button", { type: "button" }, t("reportVideo"))

/** Puts the menu where the page of an account or a channel has room for it. */
export const fillActorMenu = (place: HTMLElement): void => {
  const { account, muting } = place.dataset
  if (account === undefined || muting === undefined) return
  place.replaceWith(actorMenu({ id: Number(account), handle: muting }))
}
