import { type Html, html } from "../platform/html/Html.ts"
import type { PageLanguage } from "./language/PageLanguage.ts"

/**
 * The subscribe button: a link to log in, which the browser code turns into a button for logged-in users. `handle`:
 * `name` or `name@host`.
 */
export const subscribeButton = (language: PageLanguage, handle: string): Html =>
  html`<a class="subscribe" href="/login" data-subscribe="${handle}">${language.text("common")("subscribe")}</a>`
