import { type Html, html, urlAttribute } from "../platform/html/Html.ts"
import { layout, type Surroundings } from "./Layout.ts"
import { noIndex } from "./Metadata.ts"

const needsScript = html`<noscript><p class="outcome">This page needs JavaScript to talk to the server.</p></noscript>`

/** Where other instances send our users to interact with a remote object. */
export const remoteInteractionPage = (surroundings: Surroundings, uri: string): Html =>
  layout(surroundings, {
    title: "From elsewhere",
    entry: "site",
    head: noIndex,
    body: html`<div class="empty" data-remote-interaction="${uri}">
      <h1>From elsewhere</h1>
      <p class="outcome" role="status" data-outcome>One moment…</p>
      ${needsScript}
      <p>${/^https?:/i.test(uri) ? html`<a ${urlAttribute("href", uri)} rel="noreferrer nofollow">${uri}</a>` : uri}</p>
      <p data-login hidden><a class="button" href="/login">Log in</a></p>
    </div>`
  })
