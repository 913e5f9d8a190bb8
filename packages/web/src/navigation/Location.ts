import { signal } from "@preact/signals"

/** Where the working areas are: an entry of the browser's history. */
export interface Place {
  readonly path: string
  readonly query: URLSearchParams
  /** Names the entry of the history: what a page keeps under it is there again after going back. */
  readonly entry: string
  /** Whether the person went back or forward, or loaded the page again. */
  readonly returning: boolean
}

const newEntry = (): string => Math.random().toString(36).slice(2)

const entryOf = (state: unknown): string | undefined =>
  typeof state === "object" && state !== null && "entry" in state && typeof state.entry === "string"
    ? state.entry
    : undefined

const current = (entry: string, returning: boolean): Place => ({
  path: location.pathname.replace(/(.)\/+$/, "$1"),
  query: new URLSearchParams(location.search),
  entry,
  returning
})

const first = entryOf(history.state) ?? newEntry()
history.replaceState({ entry: first }, "")

/** The address. */
export const place = signal<Place>(current(first, true))

/** The place of the page that is shown: while the next one is loaded, the address is ahead of it. Pages read this one. */
export const here = signal<Place>(place.peek())

const scrollKey = (entry: string) => `kinora.scroll.${entry}`

/** Keeps how far the page is scrolled, for when the person comes back to this entry. */
const keepScroll = (): void => {
  try {
    sessionStorage.setItem(scrollKey(place.peek().entry), String(scrollY))
  } catch {
    // Then going back begins at the top.
  }
}

/** How far the page of an entry was scrolled when it was left. */
export const keptScroll = (entry: string): number => {
  try {
    return Number(sessionStorage.getItem(scrollKey(entry)) ?? 0)
  } catch {
    return 0
  }
}

/** Goes to a page of the working areas. `replace` takes the place of the entry, as a filter that changes does. */
export const navigate = (address: string, { replace = false }: { readonly replace?: boolean } = {}): void => {
  keepScroll()
  const entry = replace ? place.peek().entry : newEntry()
  if (replace) history.replaceState({ entry }, "", address)
  else history.pushState({ entry }, "", address)
  place.value = current(entry, false)
}

/** Changes the query of the page, keeps everything else, and leaves no entry in the history. */
export const setQuery = (changes: Readonly<Record<string, string | undefined>>): void => {
  const query = new URLSearchParams(place.peek().query)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") query.delete(name)
    else query.set(name, value)
  }
  const text = query.toString()
  navigate(place.peek().path + (text === "" ? "" : `?${text}`), { replace: true })
}

const linkOf = (event: MouseEvent): HTMLAnchorElement | undefined => {
  if (
    event.defaultPrevented ||
    event.button !== 0 ||
    event.ctrlKey ||
    event.metaKey ||
    event.shiftKey ||
    event.altKey
  ) {
    return undefined
  }
  const link = event.target instanceof Element ? event.target.closest("a") : null
  return link === null || link.target !== "" || link.hasAttribute("download") || link.origin !== location.origin
    ? undefined
    : link
}

/** Follows links to pages that `isOurs`, and the browser's own back and forward, without loading the document again. */
export const followLinks = (isOurs: (path: string) => boolean): void => {
  history.scrollRestoration = "manual"
  addEventListener("popstate", ({ state }) => {
    keepScroll()
    const entry = entryOf(state) ?? newEntry()
    place.value = current(entry, true)
  })
  addEventListener("pagehide", keepScroll)
  document.addEventListener("click", (event) => {
    const link = linkOf(event)
    if (link === undefined || !isOurs(link.pathname) || (link.hash !== "" && link.pathname === location.pathname))
      return
    event.preventDefault()
    navigate(link.pathname + link.search + link.hash)
  })
}
