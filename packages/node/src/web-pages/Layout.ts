import { bell } from "./NotificationBell.ts"
import type { ClientAssets, EntryName } from "./ClientAssets.ts"
import { type Html, html, urlAttribute } from "../platform/html/Html.ts"
import { logo } from "./Logo.ts"
import type { PageInstance } from "./PageInstance.ts"
import type { PageLanguage, Say } from "./language/PageLanguage.ts"
import { languageChoice, type WayBack } from "./LanguageChoice.ts"
import { richText, withMarkup } from "./Text.ts"

/** What all pages have in common. */
export interface Site {
  readonly instance: PageInstance["Service"]
  readonly assets: ClientAssets["Service"]
}

/** What a page is drawn with for one request. */
export interface Surroundings extends Site {
  readonly language: PageLanguage
  /** How somebody who chooses another language comes back to the page. */
  readonly wayBack: WayBack
}

export interface Page {
  /** Without the instance's name, which is added. Absent on the home page. */
  readonly title?: string
  readonly head?: Html
  readonly body: Html
  readonly entry: EntryName
  /** Path of the navigation link for this page. */
  readonly here?: string
  readonly class?: string
  /** Text in the search field. */
  readonly search?: string
}

const searchField = (text: string, t: Say<"common">): Html =>
  html`<form class="search" role="search" action="/search">
    <input
      type="search"
      name="search"
      value="${text}"
      placeholder="${t("search")}"
      aria-label="${t("searchLabel")}"
      maxlength="200"
      autocomplete="off"
      required
    />
  </form>`

const links = [
  ["/", "latest"],
  ["/videos/trending", "trending"],
  ["/videos/browse", "browse"],
  ["/about", "about"],
  ["/login", "logIn"]
] as const

const navigation = (here: string | undefined, t: Say<"common">) =>
  links.map(
    ([address, name]) => html`<a href="${address}" ${here === address && html` aria-current="page"`}>${t(name)}</a>`
  )

const assetLinks = ({ assets, instance, language }: Surroundings, entry: EntryName): Html => {
  const { css, imports, js } = assets.entry(entry)
  // What plays HLS is most of the scripts. A page that does not play at once fetches it when somebody is about to play.
  const player = entry === "watch" && instance.autoplay ? [assets.hls] : []
  // A page in a frame fades from nowhere.
  const revealed = entry !== "embed" && html`<script type="module" src="${assets.reveal}" blocking="render"></script>`
  const modules = [...imports, ...player, assets.translation(language.code)].filter((it) => it !== undefined)
  return html`<link rel="stylesheet" href="${css}" />${revealed}
    ${modules.map((it) => html`<link rel="modulepreload" href="${it}" />`)}
    <script type="module" src="${js}"></script>`
}

/** After the stylesheet of the pages, so that the operator's own wins. */
const customStyles = ({ instance: { custom } }: Surroundings): Html | false =>
  custom.styles !== undefined && html`<link rel="stylesheet" href="${custom.styles}" />`

const customScript = ({ instance: { custom } }: Surroundings): Html | false =>
  custom.script !== undefined && html`<script src="${custom.script}" defer></script>`

/** What the administrator wants everybody to read. Without scripts it cannot be closed. */
const broadcast = ({ instance, language }: Surroundings): Html | false => {
  const it = instance.broadcast
  if (it === undefined) return false
  const close = html`<button
    type="button"
    class="broadcast-close"
    data-close-broadcast
    hidden
    aria-label="${language.text("common")("closeBroadcast")}"
  >
    ×
  </button>`
  return html`<div class="broadcast" data-level="${it.level}" role="${it.level === "error" ? "alert" : "status"}">
    <div class="rich">${richText(it.message, -1)}</div>
    ${it.dismissable && close}
  </div>`
}

const programIcons = html`<link rel="icon" href="/client/icons/icon.svg" type="image/svg+xml" />
  <link rel="icon" href="/client/icons/icon-32.png" sizes="32x32" />`

const icons = ({ logos }: Surroundings["instance"]): Html =>
  html`${logos.favicon === undefined ? programIcons : html`<link rel="icon" href="${logos.favicon.address}" sizes="32x32" />`}
    <link rel="apple-touch-icon" href="/client/icons/icon-180.png" />
    <link rel="manifest" href="/manifest.webmanifest" />`

/**
 * Tools that know this family of APIs, such as yt-dlp, look for this line and then ask the API for formats and subtitles.
 * They take for granted that it is reached by https at the usual port: elsewhere they would find nothing, and without the
 * line they read the page itself.
 */
const apiFamily = (origin: string): Html | false =>
  origin.startsWith("https://") &&
  new URL(origin).port === "" &&
  html`<meta property="og:platform" content="PeerTube" />`

const head = (surroundings: Surroundings, page: Page): Html => {
  const { name } = surroundings.instance
  const title = page.title === undefined ? name : `${page.title} - ${name}`
  return html`<meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" /><title>${title}</title>
    <meta name="color-scheme" content="light dark" />
    <meta name="theme-color" content="#fbfbfa" media="(prefers-color-scheme: light)" />
    <meta name="theme-color" content="#0f1112" media="(prefers-color-scheme: dark)" />
    <meta name="generator" content="Kinora" />
    <meta property="og:platform" content="Kinora" />${apiFamily(surroundings.instance.origin)}
    <meta property="og:site_name" content="${name}" />
    ${page.head}${icons(surroundings.instance)}${assetLinks(surroundings, page.entry)}${customStyles(surroundings)}`
}

/** The wide logo holds the name in its picture. */
const brand = ({ hidesName, logos, name }: Surroundings["instance"]): Html => {
  const own = logos["header-wide"] ?? logos["header-square"]
  const isWide = logos["header-wide"] !== undefined
  const mark =
    own === undefined ? logo : html`<img src="${own.address}" width="${own.width}" height="${own.height}" alt="" />`
  return html`<a class="brand" href="/">${mark}<span${(hidesName || isWide) && html` class="sr"`}>${name}</span></a>`
}

const languageOf = ({ language }: Surroundings): Html =>
  html`lang="${language.code}" ${language.direction === "rtl" && html`dir="rtl"`}`

/** A complete page with header, navigation and footer. */
export const layout = (surroundings: Surroundings, page: Page): Html => {
  const { instance, language } = surroundings
  const t = language.text("common")
  return html`<!doctype html>
<html ${languageOf(surroundings)}><head>${head(surroundings, page)}${customScript(surroundings)}</head>
<body data-nsfw-policy="${instance.nsfwPolicy}"${!instance.autoplay && html` data-autoplay="off"`}${page.class !== undefined && html` class="${page.class}"`}><a class="skip" href="#main">${t("skip")}</a>
<header class="top"><div class="top-inner">${brand(instance)}${searchField(page.search ?? "", t)}${bell(t)}<nav class="nav" aria-label="${t("navigation")}">${navigation(page.here, t)}</nav></div></header>
${broadcast(surroundings)}
<main id="main">${page.body}</main>
<footer class="foot"><div class="foot-inner"><a href="/about">${withMarkup((name) => t("aboutName", { name }), html`<bdi>${instance.name}</bdi>`)}</a><a href="/login">${t("logIn")}</a><a href="/docs" hreflang="en">${t("api")}</a><a${urlAttribute("href", "/nodeinfo/2.0.json")}>NodeInfo</a><span>${t("runsOn", { program: "Kinora" })}</span>${languageChoice(surroundings)}</div></footer>
</body></html>
`
}

/** A page for frames: only head and body. */
export const bareLayout = (surroundings: Surroundings, page: Page): Html =>
  html`<!doctype html>
    <html ${languageOf(surroundings)}>
      <head>
        ${head(surroundings, page)}
      </head>
      <body data-nsfw-policy="${surroundings.instance.nsfwPolicy}">
        ${page.body}
      </body>
    </html> `
