import { passwordFields } from "./AccountPages.ts"
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
        ${form({
          kind: "password",
          action: "/api/v1/users/me",
          fields: [
            {
              name: "currentPassword",
              label: "Current password",
              type: "password",
              autocomplete: "current-password"
            },
            ...passwordFields("New password")
          ],
          button: "Change the password",
          done: "The password is changed, and every session is ended, this one too.",
          next: { label: "Log in", path: "/login" }
        })}
      </div>
    </div>`
  })
