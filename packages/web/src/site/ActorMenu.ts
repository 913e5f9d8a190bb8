import { call } from "../api/Call.ts"
import type { Answer } from "../api/Answer.ts"
import { closingMenu } from "../dialogs/ClosingMenu.ts"
import { openDialog } from "../dialogs/OpenDialog.ts"
import { openReportDialog } from "../dialogs/ReportDialog.ts"
import { failureText } from "../forms/Outcome.ts"
import { element } from "../player/Dom.ts"

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
      "Mute this account",
      () =>
        confirmed(
          "Mute this account?",
          `You no longer see videos and comments of @${account.handle}. You can take this back in your mutes.`,
          "Mute",
          "Muted. It is gone from your lists from now on.",
          () => mute(account)
        )
    ],
    ["Report this account", () => openReportDialog({ kind: "account", id: account.id, title: `@${account.handle}` })]
  ]
  if (host !== location.host) {
    items.splice(1, 0, [
      "Mute its instance",
      () =>
        confirmed(
          "Mute this instance?",
          `You no longer see anything of ${host}. You can take this back in your mutes.`,
          "Mute",
          "Muted. It is gone from your lists from now on.",
          () => muteHost(host)
        )
    ])
  }
  const list = element("div", { class: "menu-items" })
  const menu = element("details", { class: "menu" }, element("summary", { "aria-label": "More" }, "⋯"), list)
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

/** Puts the menu where the page of an account or a channel has room for it. */
export const fillActorMenu = (place: HTMLElement): void => {
  const { account, muting } = place.dataset
  if (account === undefined || muting === undefined) return
  place.replaceWith(actorMenu({ id: Number(account), handle: muting }))
}
