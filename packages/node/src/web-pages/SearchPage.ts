import { type Html, html, nothing } from "../platform/html/Html.ts"
import { filterPanel } from "./BrowseBar.ts"
import type { BrowseFilters } from "./BrowseFilters.ts"
import type { PageLanguage } from "./language/PageLanguage.ts"
import { layout, type Surroundings } from "./Layout.ts"
import { noIndex } from "./Metadata.ts"
import { pageTabs } from "./PageTabs.ts"
import { amount } from "./Text.ts"

export const searchPath = "/search"

/** What is searched for. */
export type Searched = "videos" | "channels" | "playlists"

const kinds = ["videos", "channels", "playlists"] as const satisfies ReadonlyArray<Searched>

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

const results = (language: PageLanguage, page: SearchShown): Html => {
  const t = language.text("lists")
  if (page.total === 0 || page.found === nothing) {
    return html`<p class="none">${t(page.start > 0 ? "noMoreFound" : "noneFound", { kind: page.kind })}</p>
      ${
        page.start === 0 &&
        isRemote(page.text) &&
        html`<p class="none">
          <a class="button" href="/remote-interaction?uri=${encodeURIComponent(page.text)}">${t("lookUp")}</a>
        </p>`
      }`
  }
  return html`<p class="none" role="status">${amount(language, page.kind, page.total)}</p>
    ${page.found}`
}

/** What was found for a text, or for filters alone. Without either, only the search form. */
export const searchPage = (surroundings: Surroundings, page: SearchShown | undefined): Html => {
  const { language } = surroundings
  const t = language.text("lists")
  const text = page?.text ?? ""
  return layout(surroundings, {
    title: text === "" ? t("search") : text,
    entry: "site",
    class: "home",
    search: text,
    head: noIndex,
    body: html`<div class="page-head"><h1 dir="auto">${text === "" ? t("search") : text}</h1></div>
      ${
        page === undefined
          ? html`<p class="none">${t("searchHelp")}</p>`
          : html`${pageTabs(
              t("searchKinds"),
              kinds.map((kind) => [searchAddress(text, kind), t(kind)]),
              searchAddress(text, page.kind)
            )}${page.kind === "videos" && filterPanel(language, searchPath, page.filters, text === "" ? [] : [["search", text]])}
            ${results(language, page)}`
      }`
  })
}
