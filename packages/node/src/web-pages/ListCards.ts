import type { VideoChannel } from "@kinora/domain/wire/VideoChannel"
import type { VideoPlaylist } from "@kinora/domain/wire/VideoPlaylist"
import { toPlainText } from "../platform/markdown/Markdown.ts"
import { type Html, html, urlAttribute } from "../platform/html/Html.ts"
import { face, handleOf } from "./Cards.ts"
import type { Listed } from "./PageLists.ts"
import { subscribeButton } from "./SubscribeButton.ts"
import type { PageLanguage } from "./language/PageLanguage.ts"
import { ago, amount, withMarkup } from "./Text.ts"

const channelRow = (channel: VideoChannel, { language, ownHost }: ListedPart): Html => {
  const handle = handleOf(channel, ownHost)
  const said = toPlainText(channel.description ?? "").replace(/\s+/g, " ")
  return html`<li class="row">
    ${face(channel, 96)}
    <div class="row-text">
      <h2 class="row-title"><a href="/c/${handle}" dir="auto">${channel.displayName}</a></h2>
      <p class="card-meta">
        @${channel.name}@${channel.host}<span class="dot"></span
        >${amount(language, "followers", channel.followersCount)}
      </p>
      ${said !== "" && html`<p class="row-about" dir="auto">${said}</p>`}
    </div>
    ${subscribeButton(language, handle)}
  </li>`
}

const playlistCard = (playlist: VideoPlaylist, { language, now, ownHost }: ListedPart): Html => {
  const address = `/w/p/${playlist.shortUUID}`
  const picture = urlAttribute("src", playlist.thumbnailPath ?? playlist.thumbnails[0]?.fileUrl)
  const channel = playlist.videoChannel ?? undefined
  return html`<li class="card">
    <a class="thumb stack" href="${address}" tabindex="-1" aria-hidden="true"
      >${picture.markup !== "" && html`<img${picture} alt="" loading="lazy" decoding="async">`}<span class="badge"
        >${amount(language, "videos", playlist.videosLength)}</span
      ></a
    >
    <div class="card-body">
      <div class="card-text">
        <h2 class="card-title"><a href="${address}" dir="auto">${playlist.displayName}</a></h2>
        <p class="card-meta">
          ${
            channel === undefined
              ? html`<a href="/a/${handleOf(playlist.ownerAccount, ownHost)}" dir="auto"
                  >${playlist.ownerAccount.displayName}</a
                >`
              : html`<a href="/c/${handleOf(channel, ownHost)}" dir="auto">${channel.displayName}</a>`
          }<span class="dot"></span>${withMarkup(
            (ago) => language.text("lists")("changed", { ago }),
            html`<time datetime="${playlist.updatedAt}">${ago(language, Date.parse(playlist.updatedAt), now)}</time>`
          )}
        </p>
      </div>
    </div>
  </li>`
}

/** A part of a list: where it begins, and the address of the whole. */
export interface ListedPart {
  readonly language: PageLanguage
  readonly path: string
  readonly start: number
  readonly ownHost: string
  readonly now: number
}

const more = ({ language, path, start }: ListedPart, list: Listed<unknown>): Html | false => {
  const next = start + list.data.length
  return (
    list.data.length > 0 &&
    next < list.total &&
    html`<a class="more" href="${path}${path.includes("?") ? "&" : "?"}start=${next}" rel="next"
      >${language.text("common")("showMore")}</a
    >`
  )
}

/** Channels as rows. */
export const channelRows = (list: Listed<VideoChannel>, part: ListedPart): Html =>
  html`<ul class="cards rows">
      ${list.data.map((it) => channelRow(it, part))}
    </ul>
    ${more(part, list)}`

/** Playlists as cards. */
export const playlistCards = (list: Listed<VideoPlaylist>, part: ListedPart): Html =>
  html`<ul class="cards">
      ${list.data.map((it) => playlistCard(it, part))}
    </ul>
    ${more(part, list)}`
