const storageKey = "kinora.broadcast"

/** Names a message by its text, so that another one is shown again. */
const nameOf = (message: Element): string => message.querySelector(".rich")?.textContent?.trim() ?? ""

const closed = (): string | null => {
  try {
    return localStorage.getItem(storageKey)
  } catch {
    // Without storage the message comes back with the next page.
    return null
  }
}

/** Lets visitors close the message of the administrator, where it may be closed. */
export const offerClosing = (): void => {
  const button = document.querySelector<HTMLButtonElement>("[data-close-broadcast]")
  const message = button?.closest<HTMLElement>(".broadcast")
  if (!button || !message) return
  if (closed() === nameOf(message)) {
    message.hidden = true
    return
  }
  button.hidden = false
  button.addEventListener("click", () => {
    message.hidden = true
    try {
      localStorage.setItem(storageKey, nameOf(message))
    } catch {
      // See above.
    }
  })
}
