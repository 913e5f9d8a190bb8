import { form, formPage } from "./FormParts.ts"
import { type Html, html } from "../platform/html/Html.ts"
import type { Surroundings } from "./Layout.ts"
import type { PageSignup } from "./PageSignup.ts"

/** Links for people who cannot log in. Only those that lead somewhere on this instance. */
const otherWays = ({ isOffered, sendsMail, verifiesEmail }: PageSignup["Service"]): Html => {
  const links = [
    sendsMail && html`<a href="/reset-password">Forgot your password?</a>`,
    sendsMail && verifiesEmail && html`<a href="/verify-account/ask-send-email">No mail to verify your address?</a>`,
    isOffered && html`<a href="/signup">Join</a>`
  ].filter((link) => link !== false)
  return html`<p class="below">${links.map((link, i) => (i === 0 ? link : html` · ${link}`))}</p>`
}

/** The login page. The field for the one-time code appears when the account needs one. */
export const loginPage = (surroundings: Surroundings, signup: PageSignup["Service"]): Html =>
  formPage(surroundings, {
    title: "Log in",
    text: [`To your account at ${surroundings.instance.name}.`],
    form: form({
      kind: "login",
      action: "/api/v1/users/token",
      fields: [
        { name: "username", label: "User name or e-mail address", type: "text", autocomplete: "username" },
        { name: "password", label: "Password", type: "password", autocomplete: "current-password" },
        {
          name: "code",
          label: "One-time code",
          type: "text",
          autocomplete: "one-time-code",
          hint: "From your authenticator app.",
          later: true
        }
      ],
      button: "Log in",
      done: ""
    }),
    below: otherWays(signup)
  })
