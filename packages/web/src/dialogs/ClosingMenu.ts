/** A menu of `details` that closes on Escape, and when somebody presses elsewhere. */
export const closingMenu = (menu: HTMLDetailsElement): HTMLDetailsElement => {
  document.addEventListener("pointerdown", (event) => {
    if (event.target instanceof Node && !menu.contains(event.target)) menu.open = false
  })
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return
    menu.open = false
    menu.querySelector("summary")?.focus()
  })
  menu.addEventListener("focusout", (event) => {
    if (event.relatedTarget instanceof Node && !menu.contains(event.relatedTarget)) menu.open = false
  })
  return menu
}
