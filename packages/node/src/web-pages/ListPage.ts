import type { VideoList } from "@kinora/domain/wire/Video"
import { filterLink, filterPanel, browsePath, orderLinks } from "./BrowseBar.ts"
import { type BrowseFilters, filterCount, filteredAddress } from "./BrowseFilters.ts"
import { pagedCards } from "./Cards.ts"
import { type Html, html } from "../platform/html/Html.ts"
import { layout, type Surroundings } from "./Layout.ts"
import { logo } from "./Logo.ts"
import { feedLinks, noIndex, pageMetadata } from "./Metadata.ts"
import { withMarkup } from "./Text.ts"

export const pageSize = 24

const firstSteps = ({ instance: { origin }, language }: Surroundings): Html => {
  const t = language.text("lists")
  return html`<div class="empty">
    <div class="empty-mark">${logo}</div>
    <h1>${t("emptyTitle")}</h1>
    <p>${withMarkup((user) => t("emptyText", { user }), html`<code>root</code>`)}</p>
    <p class="empty-acts">
      <a class="button" href="/my/upload">${t("upload")}</a>
      <a class="button quiet" href="/admin/welcome">${t("setUp")}</a>
    </p>
    <details>
      <summary>${t("withCurl")}</summary>
      <pre dir="ltr" tabindex="0">
ORIGIN=${origin}

# 1. ${t("curlCredentials")}
curl $ORIGIN/api/v1/oauth-clients/local

# 2. ${t("curlLogin")}
curl $ORIGIN/api/v1/users/token -d grant_type=password \\
  -d client_id=… -d client_secret=… \\
  -d username=root -d password=…

# 3. ${t("curlUpload")}
curl $ORIGIN/api/v1/videos/upload -H "Authorization: Bearer …" \\
  -F channelId=1 -F privacy=1 -F name="${t("curlName")}" \\
  -F videofile=@video.mp4</pre>
      <p><a href="/docs" hreflang="en">${t("wholeApi")}</a></p>
    </details>
  </div>`
}

export interface ListPage {
  readonly path: string
  readonly title: string
  readonly list: VideoList
  readonly start: number
  readonly now: number
  /** What the list is narrowed down by, with its order. */
  readonly filters: BrowseFilters
}

const feedQueries: Readonly<Record<string, string>> = {
  "/videos/trending": "?sort=-trending",
  "/videos/local": "?isLocal=true"
}

const feedsOf = ({ path, title }: ListPage, { instance: { name }, language }: Surroundings): Html => {
  const query = feedQueries[path] ?? ""
  return feedLinks([
    { title: `${title} - ${name}`, path: `/feeds/videos.xml${query}` },
    { title: `${title} - ${name} (Atom)`, path: `/feeds/videos.atom${query}`, type: "application/atom+xml" },
    { title: language.text("lists")("commentsFeed", { name }), path: "/feeds/video-comments.xml" }
  ])
}

/** Home and the other lists of videos. */
export const listPage = (surroundings: Surroundings, page: ListPage): Html => {
  const { instance, language } = surroundings
  const t = language.text("lists")
  const home = page.path === "/"
  const ownHost = new URL(instance.origin).host
  const { filters, path } = page
  const isBrowsed = path === browsePath
  const bar = html`<div class="browse-bar">
    ${orderLinks(language, isBrowsed ? { ...filters, sort: undefined } : { scope: filters.scope }, filters.sort)}
    ${isBrowsed ? filterPanel(language, path, filters) : filterLink(language, filters)}
  </div>`
  const heading = html`<div class="page-head"><h1 dir="auto">${page.title}</h1></div>
    ${bar}`
  const isNarrowed = isBrowsed && filterCount(filters) > 0
  return layout(surroundings, {
    ...(home ? {} : { title: page.title }),
    entry: "site",
    here: page.path,
    class: "home",
    head: html`${isNarrowed && noIndex}${pageMetadata({
      type: "website",
      title: home ? instance.name : `${page.title} - ${instance.name}`,
      description: instance.shortDescription,
      url: `${instance.origin}${page.path}`,
      image: instance.logos.opengraph?.address ?? `${instance.origin}/client/icons/icon-512.png`
    })}${feedsOf(page, surroundings)}`,
    body:
      page.list.data.length > 0
        ? html`${heading}${pagedCards(page.list, {
            ...page,
            path: isBrowsed ? filteredAddress(path, filters) : path,
            language,
            ownHost
          })}`
        : page.start > 0
          ? html`${heading}
              <p class="none">${t("noMore")}</p>`
          : isBrowsed
            ? html`${heading}
                <p class="none">${t("noneLikeThat")}</p>`
            : firstSteps(surroundings)
  })
}
