import { type Html, html } from "../platform/html/Html.ts"
import type { Say } from "./language/PageLanguage.ts"

/** The link to the notifications. The browser shows it: only the browser knows that a user is logged in. */
export const bell = (t: Say<"common">): Html =>
  html`<a
    class="bell"
    href="/my-account/notifications"
    aria-label="${t("notifications")}"
    title="${t("notifications")}"
    data-bell
    hidden
    ><svg viewBox="0 0 24 24" aria-hidden="true">
      <path
        d="M12 3a6 6 0 0 0-6 6v3.6l-1.6 2.7A1.1 1.1 0 0 0 5.3 17h13.4a1.1 1.1 0 0 0 .9-1.7L18 12.6V9a6 6 0 0 0-6-6Zm-2.3 15.4a2.4 2.4 0 0 0 4.6 0H9.7Z"
      /></svg
    ><span class="bell-count" hidden></span
  ></a>`
