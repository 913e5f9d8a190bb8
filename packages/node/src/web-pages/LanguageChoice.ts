import { languages } from "@kinora/domain/i18n/Languages"
import { type Html, html } from "../platform/html/Html.ts"
import type { PageLanguage } from "./language/PageLanguage.ts"

/** Where a choice is sent. It keeps the language in a cookie and leads back. */
export const languagePath = "/language"

/**
 * How somebody comes back to the page: browsers say where they come from (`referer`), or the page does, where they must not. `none`:
 * the address of the page is a secret, and it offers no choice.
 */
export type WayBack = "referer" | "none" | { readonly address: string }

/** The languages of the pages as buttons. They work without scripts. */
export const languageChoice = ({
  language,
  wayBack
}: {
  readonly language: PageLanguage
  readonly wayBack: WayBack
}): Html | false =>
  wayBack !== "none" &&
  html`<form class="languages" action="${languagePath}" aria-label="${language.text("common")("language")}">
    ${wayBack !== "referer" && html`<input type="hidden" name="next" value="${wayBack.address}" />`}${languages.map(
      ([code, name]) =>
        html`<button
          name="language"
          value="${code}"
          lang="${code}"
          ${code === language.code && html`aria-pressed="true"`}
        >
          ${name}
        </button>`
    )}
  </form>`
