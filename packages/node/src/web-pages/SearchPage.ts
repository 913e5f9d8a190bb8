import type { VideoList } from "@kinora/domain/wire/Video"
import { pagedCards } from "./Cards.ts"
import { type Html, html } from "../platform/html/Html.ts"
import { layout, type Surroundings } from "./Layout.ts"
import { noIndex } from "./Metadata.ts"
import { amount } from "./Text.ts"

export const searchPath = "/search"

/** The URL of the search page for a text. */
export const searchAddress = (text: string): string => `${searchPath}?search=${encodeURIComponent(text)}`

/** The results for `text`. Without a text, only the search form. */
export const searchPage = (
  surroundings: Surroundings,
  page: { readonly text: string; readonly list: VideoList; readonly start: number; readonly now: number }
): Html => {
  const { list, now, start, text } = page
  const ownHost = new URL(surroundings.instance.origin).host
  const found =
    list.data.length > 0
      ? html`<p class="none">${amount(list.total, "video", "videos")}</p>
          ${pagedCards(list, { path: searchAddress(text), start, ownHost, now })}`
      : html`<p class="none">
          ${start > 0 ? "There are no more videos." : "No video was found. Fewer or other words may find one."}
        </p>`
  return layout(surroundings, {
    title: text === "" ? "Search" : text,
    entry: "site",
    class: "home",
    search: text,
    head: noIndex,
    body: html`<div class="page-head"><h1 dir="auto">${text === "" ? "Search" : text}</h1></div>
      ${text === "" ? html`<p class="none">Type what you are looking for into the field above.</p>` : found}`
  })
}
