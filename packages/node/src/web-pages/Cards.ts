import type { Account, AccountSummary } from "@kinora/domain/wire/Account"
import type { ActorImage } from "@kinora/domain/wire/ActorImage"
import type { Video, VideoList } from "@kinora/domain/wire/Video"
import { truncate } from "../platform/html/Escape.ts"
import { type Html, html, nothing, urlAttribute } from "../platform/html/Html.ts"
import { announcedTime, liveBadge } from "./LiveWords.ts"
import type { PageLanguage } from "./language/PageLanguage.ts"
import { ago, amount, clock } from "./Text.ts"

type Actor = Pick<AccountSummary | Account, "name" | "host" | "displayName" | "avatars">

/** `name`, or `name@host` for an actor of another instance. */
export const handleOf = (actor: Pick<Actor, "name" | "host">, ownHost: string): string =>
  actor.host === ownHost ? actor.name : `${actor.name}@${actor.host}`

/** The smallest image that is sharp at `pixels`. Our own images are given as paths, which work behind any host name. */
const pictureFor = (images: ReadonlyArray<ActorImage>, pixels: number): string | undefined => {
  const sorted = [...images].sort((a, b) => a.width - b.width)
  const image = sorted.find((it) => it.width >= pixels) ?? sorted.at(-1)
  return image === undefined ? undefined : image.path || image.fileUrl
}

/** Avatar, or the first letter of the name. Decorative: the name stands beside it. */
export const face = (actor: Actor, pixels: number): Html => {
  const address = urlAttribute("src", pictureFor(actor.avatars, pixels))
  return html`<span class="face" aria-hidden="true"
    >${
      address === nothing
        ? truncate([...actor.displayName.trim()][0] ?? "?", 2).toUpperCase()
        : html`<img${address} alt="" loading="lazy">`
    }</span
  >`
}

/** The thumbnail of a card, by path: it works behind any host name and is never loaded from elsewhere. */
const thumbnail = (video: Video, early: boolean): Html => {
  const remote = video.thumbnails.find((it) => it.width >= 280)?.fileUrl
  const address = urlAttribute("src", video.thumbnailPath || remote)
  return address === nothing
    ? nothing
    : html`<img${address} alt="" ${!early && html` loading="lazy"`} decoding="async">`
}

/** What styles and the browser code know the picture of a sensitive video by: its reasons. */
export const sensitiveMark = (video: Pick<Video, "nsfw" | "nsfwFlags">): Html | false =>
  video.nsfw && html`data-nsfw="${video.nsfwFlags}"`

export const sensitiveBadge = (language: PageLanguage): Html =>
  html`<span class="badge sensitive-badge">${language.text("common")("sensitive")}</span>`

/** Level of the titles of a list: below the heading that is above it. */
export type Heading = "h2" | "h3"

/** Where a card stands. `now` is in milliseconds since the epoch. Thumbnails of `early` cards load at once. */
interface CardPlace {
  readonly language: PageLanguage
  readonly ownHost: string
  readonly now: number
  readonly early: boolean
  readonly heading: Heading
}

const title = (heading: Heading, address: string, name: string): Html =>
  heading === "h2"
    ? html`<h2 class="card-title"><a href="${address}" dir="auto">${name}</a></h2>`
    : html`<h3 class="card-title"><a href="${address}" dir="auto">${name}</a></h3>`

/** A video in a list. */
const card = (video: Video, { early, heading, language, now, ownHost }: CardPlace): Html => {
  const address = `/w/${encodeURIComponent(video.shortUUID)}`
  const channel = handleOf(video.channel, ownHost)
  return html`<li class="card" data-card="${video.id}">
    <a class="thumb" href="${address}" tabindex="-1" aria-hidden="true" ${sensitiveMark(video)}
      >${thumbnail(video, early)}${video.nsfw && sensitiveBadge(language)}${
        video.isLive ? liveBadge(language, video) : html`<span class="badge">${clock(video.duration)}</span>`
      }</a
    >
    <div class="card-body">
      ${face(video.channel, 72)}
      <div class="card-text">
        ${title(heading, address, video.name)}
        <p class="card-meta"><a href="/c/${channel}" dir="auto">${video.channel.displayName}</a></p>
        <p class="card-meta">
          ${
            announcedTime(language, video, now) ??
            html`${amount(language, "views", video.views)}<span class="dot"></span
              ><time datetime="${video.publishedAt}">${ago(language, Date.parse(video.publishedAt), now)}</time>`
          }
        </p>
      </div>
    </div>
  </li>`
}

/** Cards that most screens show without scrolling. */
const eager = 8

export const cards = (videos: ReadonlyArray<Video>, place: Omit<CardPlace, "early">): Html =>
  html`<ul class="cards">
    ${videos.map((it, i) => card(it, { ...place, early: i < eager }))}
  </ul>`

/** Videos with a link to the next page, which the browser code loads in place. */
export const pagedCards = (
  list: VideoList,
  options: Omit<CardPlace, "early" | "heading"> & { readonly path: string; readonly start: number }
): Html => {
  const next = options.start + list.data.length
  return html`${cards(list.data, { ...options, heading: "h2" })}${
    list.data.length > 0 &&
    next < list.total &&
    html`<a class="more" href="${options.path}${options.path.includes("?") ? "&" : "?"}start=${next}" rel="next"
      >${options.language.text("common")("showMore")}</a
    >`
  }`
}
