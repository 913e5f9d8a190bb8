import { languages } from "@kinora/domain/i18n/Languages"
import { type Html, html } from "../platform/html/Html.ts"
import type { PageLanguage } from "./language/PageLanguage.ts"

/** Where a choice is sent. It keeps the language in a cookie and leads back. */
export const languagePath = "/language"

/** The languages of the pages as buttons. They work without scripts. */
export const languageChoice = ({
  address,
  language
}: {
  readonly address: string | undefined
  readonly language: PageLanguage
}): Html | false =>
  address !== undefined &&
  html`<form
    class="languages"
    action="${languagePath}"
    role="group"
    aria-label="${language.text("common")("language")}"
  >
    <input type="hidden" name="next" value="${address}" />${languages.map(
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
