import type { Command } from "./Commands.ts"
import { commandItem } from "./CommandItem.ts"
import { element, icon } from "./Dom.ts"
import { t } from "./Messages.ts"

export interface Choice {
  readonly label: string
  readonly detail?: string
  readonly chosen: boolean
  readonly choose: () => void
}

export interface Page {
  readonly title: string
  /** The chosen value, shown on the first page. */
  readonly value: string
  readonly choices: ReadonlyArray<Choice>
  readonly commands?: ReadonlyArray<Command>
}

export interface Menu {
  readonly element: HTMLElement
  readonly toggle: (page?: string) => void
  readonly close: () => void
  readonly isOpen: () => boolean
  /** Draws the open page again, after qualities or captions changed. */
  readonly refresh: () => void
}

/** The settings: one page of names, one page each of choices. Arrows move, Escape closes, focus returns to `opener`. */
export const createMenu = (opener: HTMLButtonElement, pages: () => ReadonlyArray<Page>): Menu => {
  const box = element("div", { class: "kp-menu", role: "menu", "aria-label": t("settings"), hidden: true })
  let shown: string | undefined

  const items = () => Array.from(box.querySelectorAll<HTMLButtonElement>("button"))

  const item = (attributes: Record<string, string>, ...content: Array<Node | string>) =>
    element("button", { type: "button", class: "kp-item", ...attributes }, ...content)

  const first = () => {
    for (const page of pages()) {
      const row = item(
        { role: "menuitem", "aria-haspopup": "true" },
        element("span", { class: "kp-item-name" }, page.title),
        element("span", { class: "kp-item-value" }, page.value),
        icon("next")
      )
      row.addEventListener("click", () => show(page.title))
      box.append(row)
    }
  }

  const second = (page: Page) => {
    const back = item(
      { role: "menuitem", class: "kp-item kp-item-back" },
      icon("back"),
      element("span", {}, page.title)
    )
    back.addEventListener("click", () => show(undefined))
    box.append(back)
    for (const choice of page.choices) {
      const row = item(
        { role: "menuitemradio", "aria-checked": String(choice.chosen) },
        icon("check"),
        element("span", { class: "kp-item-name" }, choice.label)
      )
      if (choice.detail !== undefined) row.append(element("span", { class: "kp-item-value" }, choice.detail))
      row.addEventListener("click", () => {
        choice.choose()
        close()
      })
      box.append(row)
    }
    for (const command of page.commands ?? []) {
      box.append(
        commandItem(command, () => {
          close()
          command.run()
        })
      )
    }
  }

  const draw = () => {
    box.replaceChildren()
    const page = pages().find((it) => it.title === shown)
    if (page === undefined) first()
    else second(page)
  }

  const show = (page: string | undefined) => {
    shown = page
    draw()
    const chosen = box.querySelector<HTMLButtonElement>("[aria-checked=true]")
    ;(chosen ?? items()[0])?.focus({ preventScroll: true })
  }

  const close = () => {
    if (box.hidden) return
    const hadFocus = box.contains(document.activeElement)
    box.hidden = true
    opener.setAttribute("aria-expanded", "false")
    if (hadFocus) opener.focus({ preventScroll: true })
  }

  opener.setAttribute("aria-haspopup", "menu")
  opener.setAttribute("aria-expanded", "false")
  box.addEventListener("keydown", (event) => {
    const list = items()
    const here = list.indexOf(document.activeElement as HTMLButtonElement)
    const to = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: list.length - 1 }[event.key]
    if (event.key === "Escape") close()
    else if (event.key === "ArrowLeft" && shown !== undefined) show(undefined)
    else if (event.key === "ArrowRight" && shown === undefined) list[here]?.click()
    else if (to !== undefined) list[(to + list.length) % list.length]?.focus()
    else return
    event.preventDefault()
    event.stopPropagation()
  })
  document.addEventListener("pointerdown", (event) => {
    const target = event.target as Node
    if (!box.contains(target) && !opener.contains(target)) close()
  })

  return {
    element: box,
    close,
    isOpen: () => !box.hidden,
    toggle: (page) => {
      if (!box.hidden) return close()
      box.hidden = false
      opener.setAttribute("aria-expanded", "true")
      show(page)
    },
    refresh: () => {
      if (!box.hidden) draw()
    }
  }
}
