import { passwordFields } from "./AccountPages.ts"
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

/**
 * The user's own account: profile, password, sessions. Filled in by the browser, since only the browser knows the user.
 */
export const myAccountPage = (surroundings: Surroundings): Html =>
  formPage(surroundings, {
    title: "My account",
    text: [],
    below: html`<div data-my-account>
      <p class="outcome" role="status">One moment…</p>
      <noscript><p class="outcome">This page needs JavaScript to talk to the server.</p></noscript>
      <div data-loaded hidden>
        <dl class="facts">
          <dt>User name</dt>
          <dd data-fact="username"></dd>
          <dt>E-mail address</dt>
          <dd data-fact="email"></dd>
        </dl>
        <p>
          <a href="/my-account/notifications">Notifications</a> · <a href="/videos/subscriptions">Subscriptions</a> ·
          <a href="/my-library/video-playlists">Playlists</a> · <a href="/my/videos">Your videos</a> ·
          <a href="/my/settings">Settings and your data</a>
        </p>
        <button class="button" type="button" data-logout>Log out</button>
        <h2>Sessions</h2>
        <p>Where you are logged in. If you do not know one, end it and change your password.</p>
        <ul class="sessions" data-sessions></ul>
        <h2>Password</h2>
        ${form(surroundings, {
          kind: "password",
          action: "/api/v1/users/me",
          fields: [
            {
              name: "currentPassword",
              label: "Current password",
              type: "password",
              autocomplete: "current-password"
            },
            ...passwordFields(surroundings, "New password")
          ],
          button: "Change the password",
          done: "The password is changed, and every session is ended, this one too.",
          next: { label: "Log in", path: "/login" }
        })}
      </div>
    </div>`
  })
