import { videoCategoryLabels } from "@kinora/domain/enums/VideoCategory"
import { videoLanguageLabels } from "@kinora/domain/enums/VideoLanguage"
import { type Html, html } from "../platform/html/Html.ts"
import {
  type BrowseFilters,
  type BrowseOrder,
  browseOrders,
  filterCount,
  filteredAddress,
  filterPairs,
  queryText
} from "./BrowseFilters.ts"

export const browsePath = "/videos/browse"

const orderNames: Readonly<Record<BrowseOrder, string>> = {
  "-publishedAt": "Recent",
  "-trending": "Trending",
  "-hot": "Hot",
  "-best": "Best",
  "-views": "Most viewed",
  "-likes": "Most liked"
}

type Choice = readonly [value: string, label: string]

const categories: ReadonlyArray<Choice> = Object.entries(videoCategoryLabels).toSorted((a, b) =>
  a[1].localeCompare(b[1], "en")
)
const languages: ReadonlyArray<Choice> = Object.entries(videoLanguageLabels).toSorted((a, b) =>
  a[1].localeCompare(b[1], "en")
)
const lengthChoices: ReadonlyArray<Choice> = [
  ["short", "Under 4 minutes"],
  ["medium", "4 to 20 minutes"],
  ["long", "Over 20 minutes"]
]
const ageChoices: ReadonlyArray<Choice> = [
  ["day", "Last 24 hours"],
  ["week", "Last 7 days"],
  ["month", "Last 30 days"],
  ["year", "Last year"]
]

const select = (
  name: keyof BrowseFilters,
  label: string,
  any: string,
  choices: ReadonlyArray<Choice>,
  filters: BrowseFilters
): Html =>
  html`<label class="filter"
    ><span>${label}</span
    ><select name="${name}">
      <option value="">${any}</option>
      ${choices.map(
        ([value, text]) => html`<option value="${value}" ${filters[name] === value && html`selected`}>${text}</option>`
      )}
    </select></label
  >`

/** What the filters are called, each with the address without it. */
const active = (path: string, filters: BrowseFilters): ReadonlyArray<readonly [string, string]> => {
  const without = (name: keyof BrowseFilters) => filteredAddress(path, { ...filters, [name]: undefined })
  const labelled = (choices: ReadonlyArray<Choice>, value: string | undefined) =>
    choices.find((it) => it[0] === value)?.[1] ?? ""
  return filterPairs(filters).flatMap(([name, value]): ReadonlyArray<readonly [string, string]> => {
    switch (name) {
      case "scope":
        return [["This instance", without("scope")]]
      case "categoryOneOf":
        return [[labelled(categories, value), without("categoryOneOf")]]
      case "languageOneOf":
        return [[labelled(languages, value), without("languageOneOf")]]
      case "tagsOneOf":
        return [[`#${value}`, without("tagsOneOf")]]
      case "length":
        return [[labelled(lengthChoices, value), without("length")]]
      case "since":
        return [[labelled(ageChoices, value), without("since")]]
      default:
        return []
    }
  })
}

/** Every filter as a form that works without scripts: its values stand in the address. `kept` are other parameters of it. */
const filterForm = (path: string, filters: BrowseFilters, kept: ReadonlyArray<readonly [string, string]>): Html =>
  html`<form class="filters" action="${path}" data-filters>
    ${[...kept, ...filterPairs({ sort: filters.sort, tagsOneOf: filters.tagsOneOf })].map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`
    )}
    ${select("scope", "From", "Everywhere", [["local", "This instance"]], filters)}
    ${select("categoryOneOf", "Category", "All categories", categories, filters)}
    ${select("languageOneOf", "Language", "All languages", languages, filters)}
    ${select("length", "Length", "Any length", lengthChoices, filters)}
    ${select("since", "Published", "Any time", ageChoices, filters)}
    <button type="submit" class="small">Apply</button>
  </form>`

/** The orders of a list as links. */
export const orderLinks = (filters: BrowseFilters, current: string | undefined): Html =>
  html`<nav class="chips" aria-label="Order">
    ${browseOrders.map(
      (order) =>
        html`<a
          class="chip"
          href="${filteredAddress(browsePath, { ...filters, sort: order })}"
          ${current === order && html`aria-current="page"`}
          >${orderNames[order]}</a
        >`
    )}
  </nav>`

/** The link from a list to the page where it can be filtered. */
export const filterLink = (filters: BrowseFilters): Html =>
  html`<a class="chip chip-filters" href="${filteredAddress(browsePath, filters)}#filters">Filters</a>`

/** The form, folded until one is set, and what is set. */
export const filterPanel = (
  path: string,
  filters: BrowseFilters,
  kept: ReadonlyArray<readonly [string, string]> = []
): Html => {
  const count = filterCount(filters)
  const query = queryText(kept)
  const base = query === "" ? path : `${path}?${query}`
  return html`<details class="filter-panel" id="filters" ${count > 0 && html`open`}>
      <summary>Filters${count > 0 && html` <span class="count">${count}</span>`}</summary>
      ${filterForm(path, filters, kept)}
    </details>
    ${
      count > 0 &&
      html`<ul class="chips" aria-label="Filters that are set">
        ${active(base, filters).map(
          ([label, address]) =>
            html`<li>
              <a class="chip chip-set" href="${address}"
                ><span dir="auto">${label}</span><span aria-hidden="true">×</span><span class="sr"> (remove)</span></a
              >
            </li>`
        )}
      </ul>`
    }`
}
