import { type Html, html, urlAttribute } from "../platform/html/Html.ts"
import { layout, type Surroundings } from "./Layout.ts"
import { noIndex } from "./Metadata.ts"
import { needsScript } from "./FormParts.ts"

/** Where other instances send our users to interact with a remote object. */
export const remoteInteractionPage = (surroundings: Surroundings, uri: string): Html => {
  const t = surroundings.language.text("common")
  const title = surroundings.language.text("instance")("elsewhereTitle")
  return layout(surroundings, {
    title,
    entry: "site",
    head: noIndex,
    body: html`<div class="empty" data-remote-interaction="${uri}">
      <h1>${title}</h1>
      <p class="outcome" role="status" data-outcome>${t("oneMoment")}</p>
      ${needsScript(surroundings)}
      <p>${/^https?:/i.test(uri) ? html`<a ${urlAttribute("href", uri)} rel="noreferrer nofollow">${uri}</a>` : uri}</p>
      <p data-login hidden><a class="button" href="/login">${t("logIn")}</a></p>
    </div>`
  })
}
