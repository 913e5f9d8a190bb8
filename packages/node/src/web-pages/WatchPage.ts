import type { CommentThreads } from "@kinora/domain/wire/Comment"
import type { Video, VideoDetails } from "@kinora/domain/wire/Video"
import { browsePath } from "./BrowseBar.ts"
import { filteredAddress } from "./BrowseFilters.ts"
import { cards, face, handleOf } from "./Cards.ts"
import { commentSection } from "./CommentSection.ts"
import { escapeHtml } from "../platform/html/Escape.ts"
import { type Html, html, nothing, urlAttribute } from "../platform/html/Html.ts"
import { layout, type Surroundings } from "./Layout.ts"
import { liveLine } from "./LiveWords.ts"
import { noIndex, videoMetadata } from "./Metadata.ts"
import { saveButton } from "./SaveButton.ts"
import { stage } from "./Stage.ts"
import { subscribeButton } from "./SubscribeButton.ts"
import type { PageLanguage } from "./language/PageLanguage.ts"
import { ago, amount, richText, withMarkup } from "./Text.ts"
import { type Showing, standIn } from "./Visibility.ts"
import { rateButtons } from "./WatchActions.ts"

/** The HTML that other sites paste, as text. */
export const embedCode = (title: string, address: string, width: number, height: number): string =>
  `<iframe title="${escapeHtml(title)}" width="${width}" height="${height}" src="${escapeHtml(address)}" style="border: 0" allow="autoplay; picture-in-picture" sandbox="allow-same-origin allow-scripts allow-popups allow-forms" allowfullscreen></iframe>`

const owner = (language: PageLanguage, video: VideoDetails, ownHost: string): Html => {
  const t = language.text("watch")
  const channel = handleOf(video.channel, ownHost)
  const account = handleOf(video.account, ownHost)
  return html`<div class="owner">
    ${face(video.channel, 96)}
    <div>
      <a class="owner-name" href="/c/${channel}" dir="auto">${video.channel.displayName}</a
      ><a class="owner-by" href="/a/${account}"
        >${withMarkup(
          (name) => (video.isLocal ? t("by", { name }) : t("byOn", { name, host: video.account.host })),
          html`<bdi>${video.account.displayName}</bdi>`
        )}</a
      >
    </div>
    ${subscribeButton(language, channel)}
  </div>`
}

/** Whether a description is longer than what is shown of it at first. The browser code measures it. */
const isLong = (text: string): boolean => text.length > 420 || text.split("\n").length > 4

/** A dot after which a line may break. */
const between = html`<span class="dot"></span><wbr />`

const details = (language: PageLanguage, video: VideoDetails, now: number): Html => {
  const t = language.text("watch")
  const label = language.text("labels")
  return html`<section class="details" aria-label="${t("details")}">
    <p class="facts">
      ${amount(language, "views", video.views)}${between}<time
        datetime="${video.publishedAt}"
        title="${language.day(video.publishedAt)}"
        >${ago(language, Date.parse(video.publishedAt), now)}</time
      >${
        video.category.id !== null &&
        html`${between}<a href="${filteredAddress(browsePath, { categoryOneOf: String(video.category.id) })}"
            >${label("category", { id: video.category.id }) || video.category.label}</a
          >`
      }${video.licence.id !== null && html`${between}${label("licence", { id: video.licence.id }) || video.licence.label}`}
    </p>
    ${
      video.description !== null && video.description !== ""
        ? html`<div class="description rich" dir="auto">${richText(video.description, video.duration)}</div>
            <button
              class="description-more${isLong(video.description) && " long"}"
              type="button"
              aria-expanded="false"
              hidden
            >
              ${language.text("common")("showMore")}
            </button>`
        : nothing
    }${
      video.tags.length > 0 &&
      html`<ul class="tags" aria-label="${t("tags")}">
        ${video.tags.map((tag) => html`<li dir="auto"><a href="${filteredAddress(browsePath, { tagsOneOf: tag })}">${tag}</a></li>`)}
      </ul>`
    }
  </section>`
}

const actions = (language: PageLanguage, video: VideoDetails): Html => {
  const t = language.text("watch")
  return html`<div class="actions watch-actions">
    ${rateButtons(language, video)} ${saveButton(language, video)}
    <button type="button" data-share hidden>${t("share")}</button>
    ${video.downloadEnabled && !video.isLive && html`<button type="button" data-download hidden>${t("download")}</button>`}
    <span data-menu></span>
  </div>`
}

/**
 * Shown for a video that anonymous visitors may not see. It is the same whether the video is private or absent. The
 * browser code requests the video as the logged-in user, and shows the player if the user may see it.
 */
export const privatePage = (surroundings: Surroundings, title: string, text: string): Html =>
  layout(surroundings, {
    title,
    entry: "watch",
    head: noIndex,
    body: html`<div class="empty" data-absent>
        <h1>${title}</h1>
        <p>${text}</p>
        <a class="button" href="/">${surroundings.language.text("common")("seeLatest")}</a>
      </div>
      <div class="watch alone" data-perhaps hidden>
        <article>
          <div class="stage" data-video="" data-origin="${surroundings.instance.origin}" data-restricted>
            <video playsinline preload="none"></video>
          </div>
          <h1 dir="auto"></h1>
        </article>
      </div>`
  })

/** The page of a video. `shown` decides what it reveals. A locked one contains only the player's password form. */
export const watchPage = (
  surroundings: Surroundings,
  page: {
    readonly video: VideoDetails
    readonly shown: Showing
    readonly others: ReadonlyArray<Video>
    /** The comments that anonymous visitors may read. Undefined for a password-protected video. */
    readonly threads: CommentThreads | undefined
    readonly now: number
    /** False: its account or channel does not want search engines to index it. */
    readonly indexable: boolean
  }
): Html => {
  const { instance, language } = surroundings
  const t = language.text("watch")
  const { now, others, shown, threads, video } = page
  const ownHost = new URL(instance.origin).host
  const instead = standIn(language, shown)
  const title = instead ?? video.name
  return layout(surroundings, {
    title,
    entry: "watch",
    head: html`${!page.indexable && shown === "public" && noIndex}${videoMetadata(video, shown, surroundings)}
      <link
        rel="preload"
        as="fetch"
        crossorigin="anonymous"
        ${urlAttribute("href", `/api/v1/videos/${video.uuid}`)}
      />`,
    body: html`<div class="watch${others.length === 0 && " alone"}">
      <article>
        ${stage(surroundings, video, shown)}
        <h1 dir="auto">${title}</h1>
        ${instead === undefined && video.isLive && liveLine(language, video, now)}
        ${
          instead === undefined &&
          html`<div class="about-row">${owner(language, video, ownHost)}${actions(language, video)}</div>
            ${details(language, video, now)}`
        }
      </article>
      ${
        others.length > 0 &&
        html`<aside class="next" aria-label="${t("moreVideos")}">
          <div class="next-head">
            <h2>${t("moreVideos")}</h2>
            <button type="button" class="autoplay-next" role="switch" aria-checked="false" hidden>
              ${t("autoplay")}
            </button>
          </div>
          ${cards(others, { language, ownHost, now, heading: "h3" })}
        </aside>`
      }${instead === undefined && threads !== undefined && commentSection(language, video, threads, ownHost, now)}
    </div>`
  })
}
