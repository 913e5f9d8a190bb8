import { form, formPage } from "./FormParts.ts"
import { type Html, html } from "../platform/html/Html.ts"
import type { Say } from "./language/PageLanguage.ts"
import type { Surroundings } from "./Layout.ts"
import type { PageSignup } from "./PageSignup.ts"

/** Links for people who cannot log in. Only those that lead somewhere on this instance. */
const otherWays = (t: Say<"account">, { isOffered, sendsMail, verifiesEmail }: PageSignup["Service"]): Html => {
  const links = [
    sendsMail && html`<a href="/reset-password">${t("forgotten")}</a>`,
    sendsMail && verifiesEmail && html`<a href="/verify-account/ask-send-email">${t("noVerification")}</a>`,
    isOffered && html`<a href="/signup">${t("join")}</a>`
  ].filter((link) => link !== false)
  return html`<p class="below">${links.map((link, i) => (i === 0 ? link : html` · ${link}`))}</p>`
}

/** The login page. The field for the one-time code appears when the account needs one. */
export const loginPage = (surroundings: Surroundings, signup: PageSignup["Service"]): Html => {
  const t = surroundings.language.text("account")
  const logIn = surroundings.language.text("common")("logIn")
  return formPage(surroundings, {
    title: logIn,
    text: [t("loginText", { name: surroundings.instance.name })],
    form: form(surroundings, {
      kind: "login",
      action: "/api/v1/users/token",
      fields: [
        { name: "username", label: t("usernameOrEmail"), type: "text", autocomplete: "username" },
        { name: "password", label: t("password"), type: "password", autocomplete: "current-password" },
        {
          name: "code",
          label: t("code"),
          type: "text",
          autocomplete: "one-time-code",
          hint: t("codeHint"),
          later: true
        }
      ],
      button: logIn,
      done: ""
    }),
    below: otherWays(t, signup)
  })
}
