import { html } from "../platform/html/Html.ts"

/** A hinge and three cards of a flip book, fanned out into a "play" sign. */
export const logo = html`<svg viewBox="0 0 32 32" aria-hidden="true" fill="currentColor">
  <rect x="3" y="3" width="4.6" height="26" rx="2.3" />
  <path d="M11.5 4.7c0-1.3 1.4-2.1 2.5-1.4l13.6 8.5c.9.6.5 2-.6 1.9L13 12.6a1.7 1.7 0 0 1-1.5-1.7Z" opacity=".55" />
  <path d="M11.5 27.3c0 1.3 1.4 2.1 2.5 1.4l13.6-8.5c.9-.6.5-2-.6-1.9L13 19.4a1.7 1.7 0 0 0-1.5 1.7Z" opacity=".55" />
  <rect x="11.5" y="14.3" width="18" height="3.4" rx="1.7" />
</svg>`
