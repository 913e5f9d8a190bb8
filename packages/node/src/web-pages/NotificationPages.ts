import { settingNames } from "@kinora/domain/text/NotificationText"
import { formPage } from "./FormParts.ts"
import { type Html, html } from "../platform/html/Html.ts"
import { layout, type Surroundings } from "./Layout.ts"
import { noIndex } from "./Metadata.ts"

const needsScript = html`<noscript><p class="outcome">This page needs JavaScript to talk to the server.</p></noscript>`

const way = (key: string, name: string, bit: 1 | 2): Html =>
  html`<td>
    <label class="tick"
      ><input type="checkbox" name="${key}" value="${bit}" /><span class="sr"
        >${name}: ${bit === 1 ? "on the web" : "by mail"}</span
      ></label
    >
  </td>`

/** What is only ever mailed. */
const mailOnly: ReadonlySet<string> = new Set(["announcement"])

const settings = html`<h2 id="settings">Notification settings</h2>
  <p class="outcome" role="status" data-settings-outcome></p>
  <table class="ways" data-settings>
    <thead>
      <tr>
        <th scope="col">Kind</th>
        <th scope="col">Web</th>
        <th scope="col">Mail</th>
      </tr>
    </thead>
    <tbody>
      ${Object.entries(settingNames).map(
        ([key, name]) =>
          html`<tr>
            <th scope="row">${name}</th>
            ${mailOnly.has(key) ? html`<td></td>` : way(key, name, 1)}${way(key, name, 2)}
          </tr>`
      )}
    </tbody>
  </table>`

/** The user's notifications and notification settings. Filled in by the browser. */
export const notificationsPage = (surroundings: Surroundings): Html =>
  layout(surroundings, {
    title: "Notifications",
    entry: "site",
    head: noIndex,
    body: html`<div class="panel wide" data-notifications>
      <h1>Notifications</h1>
      <p class="outcome" role="status" data-outcome>One moment…</p>
      ${needsScript}
      <div data-loaded hidden>
        <p class="notices-actions">
          <button type="button" class="quiet" data-read-all>Mark all as read</button>
          <a href="/my/subscriptions">Videos of your subscriptions</a>
        </p>
        <ul class="notices" data-notices></ul>
        <button type="button" class="quiet" data-more hidden>Show more</button>
        ${settings}
      </div>
    </div>`
  })

const choices = html`<p class="below"><a href="/my-account/notifications#settings">All your choices</a></p>`

/** Asks whether to stop mails of this kind. Opening the link changes nothing, since mail scanners open links too. */
export const unsubscribePage = (surroundings: Surroundings, kind: string): Html =>
  formPage(surroundings, {
    title: "No more of these mails?",
    text: [`You get mails about: ${kind}.`],
    below: html`<form class="form" method="post">
        <button class="button" type="submit">Send me no more of them</button>
      </form>
      ${choices}`
  })

export const unsubscribedPage = (surroundings: Surroundings, kind: string): Html =>
  formPage(surroundings, {
    title: "No more of these mails",
    text: [`You will not receive emails about this any more: ${kind}. Notifications on the web stay as they were.`],
    below: choices
  })

export const noLinkPage = (surroundings: Surroundings): Html =>
  formPage(surroundings, {
    title: "This link is incomplete",
    text: ["Part of the link is missing. Open it from the email again, or change your notification settings."],
    below: choices
  })
