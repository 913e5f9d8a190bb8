import { type Html, html, nothing } from "../platform/html/Html.ts"
import { filterPanel } from "./BrowseBar.ts"
import type { BrowseFilters } from "./BrowseFilters.ts"
import { layout, type Surroundings } from "./Layout.ts"
import { noIndex } from "./Metadata.ts"
import { pageTabs } from "./PageTabs.ts"
import { amount } from "./Text.ts"

export const searchPath = "/search"

/** What is searched for. */
export type Searched = "videos" | "channels" | "playlists"

const kinds: ReadonlyArray<readonly [Searched, string]> = [
  ["videos", "Videos"],
  ["channels", "Channels"],
  ["playlists", "Playlists"]
]
const wordsFor: Readonly<Record<Searched, readonly [string, string]>> = {
  videos: ["video", "videos"],
  channels: ["channel", "channels"],
  playlists: ["playlist", "playlists"]
}

/** The URL of the search page for a text. */
export const searchAddress = (text: string, kind: Searched = "videos"): string =>
  `${searchPath}?search=${encodeURIComponent(text)}${kind === "videos" ? "" : `&type=${kind}`}`

export interface SearchShown {
  readonly text: string
  readonly kind: Searched
  readonly filters: BrowseFilters
  readonly start: number
  /** How many were found, and a part of them as cards. */
  readonly total: number
  readonly found: Html
}

/** An address, or a handle such as `name@host`: what it names may be on an instance that this one has not met. */
const isRemote = (text: string): boolean => /^(https?:\/\/\S+|@?[\w.-]+@[\w.-]+(:\d+)?)$/i.test(text)

const lookUp = (text: string): Html =>
  html`<p class="none">
    <a class="button" href="/remote-interaction?uri=${encodeURIComponent(text)}">Look for it on its own instance</a>
  </p>`

const results = (page: SearchShown): Html => {
  const [one, many] = wordsFor[page.kind]
  if (page.total === 0 || page.found === nothing) {
    return html`<p class="none">
        ${page.start > 0 ? `There are no more ${many}.` : `No ${one} was found. Fewer or other words may find one.`}
      </p>
      ${page.start === 0 && isRemote(page.text) && lookUp(page.text)}`
  }
  return html`<p class="none" role="status">${amount(page.total, one, many)}</p>
    ${page.found}`
}

/** What was found for a text, or for filters alone. Without either, only the search form. */
export const searchPage = (surroundings: Surroundings, page: SearchShown | undefined): Html => {
  const text = page?.text ?? ""
  return layout(surroundings, {
    title: text === "" ? "Search" : text,
    entry: "site",
    class: "home",
    search: text,
    head: noIndex,
    body: html`<div class="page-head"><h1 dir="auto">${text === "" ? "Search" : text}</h1></div>
      ${
        page === undefined
          ? html`<p class="none">Type what you are looking for into the field above.</p>`
          : html`${pageTabs(
              "What to search for",
              kinds.map(([kind, name]) => [searchAddress(text, kind), name]),
              searchAddress(text, page.kind)
            )}${page.kind === "videos" && filterPanel(searchPath, page.filters, text === "" ? [] : [["search", text]])}
            ${results(page)}`
      }`
  })
}
