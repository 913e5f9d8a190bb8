import { type Html, html } from "../platform/html/Html.ts"

/** Pages of one thing beside each other, as links. */
export const pageTabs = (
  label: string,
  tabs: ReadonlyArray<readonly [address: string, name: string]>,
  current: string
): Html =>
  html`<nav class="page-tabs" aria-label="${label}">
    ${tabs.map(
      ([address, name]) => html`<a href="${address}" ${address === current && html`aria-current="page"`}>${name}</a>`
    )}
  </nav>`
