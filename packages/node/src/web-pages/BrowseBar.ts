import { videoCategories } from "@kinora/domain/enums/VideoCategory"
import { videoLanguageLabels } from "@kinora/domain/enums/VideoLanguage"
import { videoLanguageName } from "./BrowseTitle.ts"
import { type Html, html } from "../platform/html/Html.ts"
import type { PageLanguage } from "./language/PageLanguage.ts"
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

const orderNames = {
  "-publishedAt": "orderRecent",
  "-trending": "orderTrending",
  "-hot": "orderHot",
  "-best": "orderBest",
  "-views": "orderViews",
  "-likes": "orderLikes"
} as const satisfies Record<BrowseOrder, string>

type Choice = readonly [value: string, label: string]

interface Choices {
  readonly categories: ReadonlyArray<Choice>
  readonly languages: ReadonlyArray<Choice>
  readonly lengths: ReadonlyArray<Choice>
  readonly ages: ReadonlyArray<Choice>
}

const choicesIn = (language: PageLanguage): Choices => {
  const t = language.text("lists")
  const byLabel = (a: Choice, b: Choice) => language.compare(a[1], b[1])
  return {
    categories: videoCategories
      .map((id): Choice => [String(id), language.text("labels")("category", { id })])
      .toSorted(byLabel),
    languages: Object.keys(videoLanguageLabels)
      .map((tag): Choice => [tag, videoLanguageName(language, tag)])
      .toSorted(byLabel),
    lengths: (["short", "medium", "long"] as const).map((it) => [it, t(it)]),
    ages: (["day", "week", "month", "year"] as const).map((it) => [it, t(it)])
  }
}

const made = new Map<PageLanguage, Choices>()

/** What may be chosen, in a language. It is made once: there are some two hundred languages to be sorted. */
const choicesOf = (language: PageLanguage): Choices => {
  const known = made.get(language) ?? choicesIn(language)
  made.set(language, known)
  return known
}

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
const active = (
  language: PageLanguage,
  path: string,
  filters: BrowseFilters
): ReadonlyArray<readonly [string, string]> => {
  const { ages, categories, languages, lengths } = choicesOf(language)
  const without = (name: keyof BrowseFilters) => filteredAddress(path, { ...filters, [name]: undefined })
  const labelled = (choices: ReadonlyArray<Choice>, value: string | undefined) =>
    choices.find((it) => it[0] === value)?.[1] ?? ""
  return filterPairs(filters).flatMap(([name, value]): ReadonlyArray<readonly [string, string]> => {
    switch (name) {
      case "scope":
        return [[language.text("lists")("thisInstance"), without("scope")]]
      case "categoryOneOf":
        return [[labelled(categories, value), without("categoryOneOf")]]
      case "languageOneOf":
        return [[labelled(languages, value), without("languageOneOf")]]
      case "tagsOneOf":
        return [[`#${value}`, without("tagsOneOf")]]
      case "length":
        return [[labelled(lengths, value), without("length")]]
      case "since":
        return [[labelled(ages, value), without("since")]]
      default:
        return []
    }
  })
}

/** Every filter as a form that works without scripts: its values stand in the address. `kept` are other parameters of it. */
const filterForm = (
  language: PageLanguage,
  path: string,
  filters: BrowseFilters,
  kept: ReadonlyArray<readonly [string, string]>
): Html => {
  const t = language.text("lists")
  const { ages, categories, languages, lengths } = choicesOf(language)
  return html`<form class="filters" action="${path}" data-filters>
    ${[...kept, ...filterPairs({ sort: filters.sort, tagsOneOf: filters.tagsOneOf })].map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`
    )}
    ${select("scope", t("from"), t("everywhere"), [["local", t("thisInstance")]], filters)}
    ${select("categoryOneOf", t("category"), t("allCategories"), categories, filters)}
    ${select("languageOneOf", t("language"), t("allLanguages"), languages, filters)}
    ${select("length", t("length"), t("anyLength"), lengths, filters)}
    ${select("since", t("published"), t("anyTime"), ages, filters)}
    <button type="submit" class="small">${t("apply")}</button>
  </form>`
}

/** The orders of a list as links. */
export const orderLinks = (language: PageLanguage, filters: BrowseFilters, current: string | undefined): Html =>
  html`<nav class="chips" aria-label="${language.text("lists")("order")}">
    ${browseOrders.map(
      (order) =>
        html`<a
          class="chip"
          href="${filteredAddress(browsePath, { ...filters, sort: order })}"
          ${current === order && html`aria-current="page"`}
          >${language.text("lists")(orderNames[order])}</a
        >`
    )}
  </nav>`

/** The link from a list to the page where it can be filtered. */
export const filterLink = (language: PageLanguage, filters: BrowseFilters): Html =>
  html`<a class="chip chip-filters" href="${filteredAddress(browsePath, filters)}#filters"
    >${language.text("lists")("filters")}</a
  >`

/** The form, folded until one is set, and what is set. */
export const filterPanel = (
  language: PageLanguage,
  path: string,
  filters: BrowseFilters,
  kept: ReadonlyArray<readonly [string, string]> = []
): Html => {
  const t = language.text("lists")
  const count = filterCount(filters)
  const query = queryText(kept)
  const base = query === "" ? path : `${path}?${query}`
  return html`<details class="filter-panel" id="filters" ${count > 0 && html`open`}>
      <summary>${t("filters")}${count > 0 && html` <span class="count">${count}</span>`}</summary>
      ${filterForm(language, path, filters, kept)}
    </details>
    ${
      count > 0 &&
      html`<ul class="chips" aria-label="${t("filtersSet")}">
        ${active(language, base, filters).map(
          ([label, address]) =>
            html`<li>
              <a class="chip chip-set" href="${address}"
                ><span dir="auto">${label}</span><span aria-hidden="true">×</span
                ><span class="sr"> ${t("remove")}</span></a
              >
            </li>`
        )}
      </ul>`
    }`
}
