import { type Html, html } from "../platform/html/Html.ts"

/** Following a channel: a way to log in, of which the browser makes a button for whoever has. `handle`: `name` or `name@host`. */
export const subscribeButton = (handle: string): Html =>
  html`<a class="subscribe" href="/login" data-subscribe="${handle}">Subscribe</a>`
