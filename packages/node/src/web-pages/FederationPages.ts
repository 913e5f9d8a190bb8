import { type Html, html, urlAttribute } from "../platform/html/Html.ts"
import { layout, type Surroundings } from "./Layout.ts"
import { noIndex } from "./Metadata.ts"

const needsScript = html`<noscript><p class="outcome">This page needs JavaScript to talk to the server.</p></noscript>`

const table = (name: string, title: string, columns: ReadonlyArray<string>): Html =>
  html`<h2>${title}</h2>
    <p class="outcome" role="status" data-outcome-of="${name}"></p>
    <table class="ways" data-table="${name}">
      <thead>
        <tr>
          ${columns.map((column) => html`<th scope="col">${column}</th>`)}
        </tr>
      </thead>
      <tbody></tbody>
    </table>
    <p class="none" data-none="${name}" hidden>Nobody yet.</p>
    <button type="button" class="quiet" data-more="${name}" hidden>Show more</button>`

/** Followers and follows of the instance, for administrators. Filled in by the browser. */
export const federationPage = (surroundings: Surroundings): Html =>
  layout(surroundings, {
    title: "Federation",
    entry: "site",
    head: noIndex,
    body: html`<div class="panel wide" data-federation>
      <h1>Federation</h1>
      <p class="outcome" role="status" data-outcome>One moment…</p>
      ${needsScript}
      <p><a href="/admin/federation/hosts">How other instances take what they are sent</a></p>
      <div data-loaded hidden>
        <form class="form" data-follow-others>
          <p class="outcome" role="status" tabindex="-1"></p>
          <p class="field">
            <label for="field-others">Follow instances, channels or accounts</label>
            <textarea id="field-others" name="others" rows="3" required aria-describedby="field-others-hint"></textarea>
            <small id="field-others-hint">One a line: videos.example or channel@videos.example</small>
          </p>
          <button type="submit">Follow</button>
        </form>
        ${table("following", "This instance follows", ["Name", "State", ""])}
        ${table("followers", "Followers of this instance", ["Name", "State", ""])}
      </div>
    </div>`
  })

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
