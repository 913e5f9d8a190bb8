/** Whoever asked for less motion sees the next page at once. */
const isStill = matchMedia("(prefers-reduced-motion: reduce)")

/**
 * Changes what is shown by the fade that is between public pages (`transitions.css`), where the browser has it. A change that comes
 * while another one fades breaks that one off.
 */
export const fade = (change: () => void): void => {
  if (!("startViewTransition" in document) || isStill.matches) {
    change()
    return
  }
  const { finished, ready, updateCallbackDone } = document.startViewTransition(async () => {
    change()
    // Components are drawn behind the task that changed them.
    await new Promise((drawn) => setTimeout(drawn))
  })
  // A fade that is broken off, or a window that nobody looks at: the page has changed all the same.
  for (const outcome of [finished, ready, updateCallbackDone]) outcome.catch(() => {})
}
