import { type Html, html } from "../platform/html/Html.ts"
import { layout, type Surroundings } from "./Layout.ts"
import { noIndex } from "./Metadata.ts"

/** As the API names them, most urgent first. */
const states = [
  ["", "All of them"],
  ["failing", "Do not answer"],
  ["unavailable", "Unavailable for a week or more"],
  ["resting", "Asked to be left alone"],
  ["unknown", "Not known yet"],
  ["well", "Take what they are sent"]
] as const

const orders = [
  ["-waiting", "Most waiting first"],
  ["host", "By name"],
  ["lastSuccessAt", "Longest without success first"]
] as const

const choices = (from: ReadonlyArray<readonly [string, string]>): ReadonlyArray<Html> =>
  from.map(([value, label]) => html`<option value="${value}">${label}</option>`)

/** Why deliveries to a host failed, for administrators. Filled in by the browser. */
export const deliveriesPage = (surroundings: Surroundings): Html =>
  layout(surroundings, {
    title: "Deliveries",
    entry: "site",
    head: noIndex,
    body: html`<div class="library deliveries" data-deliveries>
      <p class="back"><a href="/admin/federation">Federation</a></p>
      <h1>Deliveries</h1>
      <p>How other instances take what they are sent, and what still waits for them.</p>
      <noscript><p class="outcome">This page needs JavaScript to talk to the server.</p></noscript>
      <form class="form filters" role="search" aria-label="Hosts" data-filter>
        <p class="field">
          <label for="hosts-search">Host</label>
          <input
            id="hosts-search"
            type="search"
            name="search"
            maxlength="200"
            autocomplete="off"
            autocapitalize="none"
            spellcheck="false"
            placeholder="videos.example"
          />
        </p>
        <p class="field">
          <label for="hosts-state">Show</label>
          <select id="hosts-state" name="state">
            ${choices(states)}
          </select>
        </p>
        <p class="field">
          <label for="hosts-sort">Order</label>
          <select id="hosts-sort" name="sort">
            ${choices(orders)}
          </select>
        </p>
        <button type="submit" class="quiet">Show</button>
      </form>
      <p class="outcome" role="status" tabindex="-1" data-outcome>One moment…</p>
      <p class="hint" role="status" data-total></p>
      <ul class="hosts" data-hosts></ul>
      <button type="button" class="quiet" data-more hidden>Show more</button>
    </div>`
  })
