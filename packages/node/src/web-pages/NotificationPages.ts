import { offeredSettings } from "@kinora/domain/text/NotificationText"
import { formPage, needsScript } from "./FormParts.ts"
import { type Html, html } from "../platform/html/Html.ts"
import type { Say } from "./language/PageLanguage.ts"
import { layout, type Surroundings } from "./Layout.ts"
import { noIndex } from "./Metadata.ts"

type Words = Say<"notifications">

const way = (t: Words, key: string, bit: 1 | 2): Html => {
  const name = t("setting", { key })
  return html`<td>
    <label class="tick"
      ><input type="checkbox" name="${key}" value="${bit}" /><span class="sr"
        >${t(bit === 1 ? "onWeb" : "byMail", { name })}</span
      ></label
    >
  </td>`
}

/** What is only ever mailed. */
const mailOnly: ReadonlySet<string> = new Set(["announcement"])

const settings = (t: Words): Html =>
  html`<h2 id="settings">${t("settings")}</h2>
    <p class="outcome" role="status" data-settings-outcome></p>
    <table class="ways" data-settings>
      <thead>
        <tr>
          <th scope="col">${t("kind")}</th>
          <th scope="col">${t("web")}</th>
          <th scope="col">${t("mail")}</th>
        </tr>
      </thead>
      <tbody>
        ${offeredSettings.map(
          (key) =>
            html`<tr>
              <th scope="row">${t("setting", { key })}</th>
              ${mailOnly.has(key) ? html`<td></td>` : way(t, key, 1)}${way(t, key, 2)}
            </tr>`
        )}
      </tbody>
    </table>`

/** The user's notifications and notification settings. Filled in by the browser. */
export const notificationsPage = (surroundings: Surroundings): Html => {
  const t = surroundings.language.text("notifications")
  const common = surroundings.language.text("common")
  return layout(surroundings, {
    title: common("notifications"),
    entry: "site",
    head: noIndex,
    body: html`<div class="panel wide" data-notifications>
      <h1>${common("notifications")}</h1>
      <p class="outcome" role="status" data-outcome>${common("oneMoment")}</p>
      ${needsScript(surroundings)}
      <div data-loaded hidden>
        <p class="notices-actions">
          <button type="button" class="quiet" data-read-all>${t("readAll")}</button>
          <a href="/my/subscriptions">${t("ofSubscriptions")}</a>
        </p>
        <ul class="notices" data-notices></ul>
        <button type="button" class="quiet" data-more hidden>${common("showMore")}</button>
        ${settings(t)}
      </div>
    </div>`
  })
}

const choices = (t: Words): Html =>
  html`<p class="below"><a href="/my-account/notifications#settings">${t("allChoices")}</a></p>`

/** Asks whether to stop mails of this kind. Opening the link changes nothing, since mail scanners open links too. */
export const unsubscribePage = (surroundings: Surroundings, key: string): Html => {
  const t = surroundings.language.text("notifications")
  return formPage(surroundings, {
    title: t("stopTitle"),
    text: [t("stopText", { kind: t("setting", { key }) })],
    below: html`<form class="form" method="post">
        <button class="button" type="submit">${t("stop")}</button>
      </form>
      ${choices(t)}`
  })
}

export const unsubscribedPage = (surroundings: Surroundings, key: string): Html => {
  const t = surroundings.language.text("notifications")
  return formPage(surroundings, {
    title: t("stoppedTitle"),
    text: [t("stoppedText", { kind: t("setting", { key }) })],
    below: choices(t)
  })
}

export const noLinkPage = (surroundings: Surroundings): Html => {
  const t = surroundings.language.text("notifications")
  return formPage(surroundings, {
    title: t("incompleteTitle"),
    text: [t("incompleteText")],
    below: choices(t)
  })
}
