/** So many further pages come by themselves; then the footer can be reached, and the link wants to be pressed. */
const mostAutomatic = 4

interface Place {
  /** How many further pages were shown, and how far down the reader was, in pixels. */
  readonly more: number
  readonly top: number
}

const placeOf = (state: unknown): Place | undefined =>
  typeof state === "object" && state !== null && "more" in state && "top" in state
    ? { more: Number(state.more), top: Number(state.top) }
    : undefined

/** Fetches the next page that the link names and appends its cards, so one place (the server) draws cards. */
const appendNext = async (link: HTMLAnchorElement, added: () => void): Promise<ReadonlyArray<Element>> => {
  const list = document.querySelector(".cards")
  if (list === null) return []
  const answer = await fetch(link.href, { headers: { accept: "text/html" } })
  if (!answer.ok) throw new Error(`The server answered ${answer.status}`)
  const page = new DOMParser().parseFromString(await answer.text(), "text/html")
  const cards = Array.from(page.querySelectorAll(".cards > li"))
  list.append(...cards)
  added()
  const next = page.querySelector<HTMLAnchorElement>("a.more")
  if (next === null) link.remove()
  else link.setAttribute("href", next.getAttribute("href") ?? "")
  return cards
}

/** Shows more cards when the link to them is pressed or comes near, and all of them again when one comes back. */
export const offerMore = (added: () => void): void => {
  const link = document.querySelector<HTMLAnchorElement>("a.more")
  if (link === null) return
  let shown = 0
  let automatic = 0
  let busy = false
  const load = async (isPressed: boolean): Promise<void> => {
    if (busy) return
    busy = true
    link.setAttribute("aria-busy", "true")
    try {
      const cards = await appendNext(link, added)
      shown++
      history.replaceState({ more: shown, top: scrollY } satisfies Place, "")
      if (isPressed) cards[0]?.querySelector("a")?.focus({ preventScroll: true })
    } catch {
      // Without a connection the link still is a link: following it shows the browser's own error page.
      if (isPressed) location.href = link.href
    } finally {
      busy = false
      link.removeAttribute("aria-busy")
    }
  }
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    void load(true)
  })
  addEventListener("pagehide", () => {
    if (shown > 0) history.replaceState({ more: shown, top: scrollY } satisfies Place, "")
  })
  const watched = new IntersectionObserver(
    (entries) => {
      if (automatic >= mostAutomatic) return watched.disconnect()
      if (!entries.some((it) => it.isIntersecting) || !link.isConnected) return
      automatic++
      void load(false)
    },
    { rootMargin: "600px" }
  )
  const before = placeOf(history.state)
  const begin = async () => {
    for (let n = 0; n < (before?.more ?? 0) && link.isConnected; n++) await load(false)
    if (before !== undefined) scrollTo(0, before.top)
    watched.observe(link)
  }
  void begin()
}
