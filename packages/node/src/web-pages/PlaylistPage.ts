import type { VideoDetails } from "@kinora/domain/wire/Video"
import type { VideoPlaylist, VideoPlaylistElement, VideoPlaylistElementList } from "@kinora/domain/wire/VideoPlaylist"
import { handleOf, sensitiveBadge, sensitiveMark } from "./Cards.ts"
import { liveBadge } from "./LiveWords.ts"
import { type Html, html, nothing, urlAttribute } from "../platform/html/Html.ts"
import { bareLayout, layout, type Surroundings } from "./Layout.ts"
import { noIndex } from "./Metadata.ts"
import { playlistAddresses, playlistMetadata } from "./PlaylistMetadata.ts"
import { nextPosition, placesOnPage, placeTitle, previousPosition } from "./PlaylistPlace.ts"
import { stage } from "./Stage.ts"
import type { PageLanguage } from "./language/PageLanguage.ts"
import { amount, ago, clock, richText } from "./Text.ts"
import type { Showing } from "./Visibility.ts"

/** A playlist and the position being played. */
export interface PlaylistShown {
  readonly playlist: VideoPlaylist
  readonly places: VideoPlaylistElementList
  readonly place: VideoPlaylistElement | undefined
  /** The video at this position, if anonymous visitors may see it. */
  readonly played: { readonly video: VideoDetails; readonly shown: Showing } | undefined
}

const at = (address: string, position: number): string => `${address}?playlistPosition=${position}`

const thumbnail = ({ video }: VideoPlaylistElement): Html => {
  if (video === null) return nothing
  const remote = video.thumbnails.find((it) => it.width >= 280)?.fileUrl
  const address = urlAttribute("src", video.thumbnailPath || remote)
  return address === nothing ? nothing : html`<img${address} alt="" loading="lazy" decoding="async">`
}

/** One position in the list beside the player. */
const listed = (language: PageLanguage, place: VideoPlaylistElement, current: number, address: string): Html => {
  const { position, video } = place
  const title = placeTitle(language, place)
  const isCurrent = position === current
  const inside = html`<span class="place-number">${position}</span
    ><span class="thumb" ${video !== null && sensitiveMark(video)}
      >${thumbnail(place)}${video?.nsfw === true && sensitiveBadge(language)}${
        video !== null &&
        (video.isLive ? liveBadge(language, video) : html`<span class="badge">${clock(video.duration)}</span>`)
      }</span
    ><span class="place-text"
      ><span class="place-title" dir="auto">${title}</span
      >${video !== null && html`<span class="place-by" dir="auto">${video.channel.displayName}</span>`}</span
    >`
  return html`<li class="place${video === null && " gone"}">
    ${
      video === null
        ? html`<span class="place-link">${inside}</span>`
        : html`<a class="place-link" href="${at(address, position)}" ${isCurrent && html`aria-current="true"`}
            >${inside}</a
          >`
    }
  </li>`
}

const aside = (
  language: PageLanguage,
  { place, places, playlist }: PlaylistShown,
  address: string,
  ownHost: string
): Html => {
  const t = language.text("watch")
  const { channel, first, last } = {
    channel: playlist.videoChannel ?? undefined,
    first: places.data[0]?.position ?? 1,
    last: places.data.at(-1)?.position ?? 0
  }
  return html`<aside class="playlist" aria-label="${t("playlist")}">
    <h2 dir="auto"><a href="${address}">${playlist.displayName}</a></h2>
    <p class="playlist-by">
      ${
        channel === undefined
          ? html`<a href="/a/${handleOf(playlist.ownerAccount, ownHost)}" dir="auto"
              >${playlist.ownerAccount.displayName}</a
            >`
          : html`<a href="/c/${handleOf(channel, ownHost)}" dir="auto">${channel.displayName}</a>`
      }<span class="dot"></span
      >${place === undefined ? amount(language, "videos", 0) : html`${place.position} / ${places.total}`}
    </p>
    ${playlist.description !== null && html`<div class="playlist-about rich" dir="auto">${richText(playlist.description, -1)}</div>`}
    ${places.total === 0 && html`<p class="none">${t("emptyPlaylist")}</p>`}
    ${
      first > 1 &&
      html`<a class="place-more" href="${at(address, first - 1)}" rel="prev"
        >${t("places", { from: first - placesOnPage, to: first - 1 })}</a
      >`
    }
    <ol class="places" start="${first}">
      ${places.data.map((it) => listed(language, it, place?.position ?? 0, address))}
    </ol>
    ${
      last < places.total &&
      html`<a class="place-more" href="${at(address, last + 1)}" rel="next"
        >${t("places", { from: last + 1, to: Math.min(places.total, last + placesOnPage) })}</a
      >`
    }
  </aside>`
}

/** Where playback starts and stops, and what plays next: read by the browser code. */
const course = ({ place, places }: PlaylistShown, address: string): Html => {
  if (place === undefined) return html`data-playlist`
  const { position, startTimestamp, stopTimestamp } = place
  const next = nextPosition(places, position)
  const previous = previousPosition(places, position)
  return html`data-playlist
  data-position="${position}"${
    previous !== undefined && html` data-previous="${at(address, previous)}"`
  }${next !== undefined && html` data-next="${at(address, next)}"`}${
    startTimestamp !== null && html` data-start="${startTimestamp}"`
  }${stopTimestamp !== null && html` data-stop="${stopTimestamp}"`}`
}

const steps = (language: PageLanguage, { place, places }: PlaylistShown, address: string): Html => {
  const t = language.text("watch")
  if (place === undefined) return nothing
  const previous = previousPosition(places, place.position)
  const next = nextPosition(places, place.position)
  return html`<nav class="steps" aria-label="${t("steps")}">
    ${previous !== undefined && html`<a class="button quiet" href="${at(address, previous)}" rel="prev">${t("previous")}</a>`}
    ${next !== undefined && html`<a class="button quiet" href="${at(address, next)}" rel="next">${t("next")}</a>`}
  </nav>`
}

/** The page that plays a playlist beside its list. */
export const playlistPage = (surroundings: Surroundings, page: PlaylistShown & { readonly now: number }): Html => {
  const { instance, language } = surroundings
  const t = language.text("watch")
  const { now, place, played, playlist } = page
  const ownHost = new URL(instance.origin).host
  const address = `/w/p/${playlist.shortUUID}`
  const title = played?.video.name ?? (place === undefined ? playlist.displayName : placeTitle(language, place))
  return layout(surroundings, {
    title: `${title} · ${playlist.displayName}`,
    entry: "watch",
    head: playlistMetadata(playlist, surroundings),
    body: html`<div class="watch in-playlist" data-origin="${instance.origin}" ${course(page, address)}>
      <article>
        ${
          played === undefined
            ? html`<div class="stage gone">
                <p>${t(place === undefined ? "nothingToPlay" : "notShown")}</p>
              </div>`
            : stage(surroundings, played.video, played.shown)
        }
        <h1 dir="auto">${title}</h1>
        ${steps(language, page, address)}
        ${
          played !== undefined &&
          html`<p class="playlist-video">
            <a href="/c/${handleOf(played.video.channel, ownHost)}" dir="auto">${played.video.channel.displayName}</a
            ><span class="dot"></span>${amount(language, "views", played.video.views)}<span class="dot"></span
            ><time datetime="${played.video.publishedAt}"
              >${ago(language, Date.parse(played.video.publishedAt), now)}</time
            ><span class="dot"></span><a href="/w/${played.video.shortUUID}">${t("aboutVideo")}</a>
          </p>`
        }
      </article>
      ${aside(language, page, address, ownHost)}
    </div>`
  })
}

/**
 * Shown for a playlist that anonymous visitors may not see. It is the same whether the playlist is private or absent.
 * The browser code requests it as the logged-in user, and plays it if the user may see it.
 */
export const absentPlaylistPage = (surroundings: Surroundings, title: string, text: string): Html =>
  layout(surroundings, {
    title,
    entry: "watch",
    head: noIndex,
    body: html`<div class="empty" data-absent>
        <h1>${title}</h1>
        <p>${text}</p>
        <a class="button" href="/">${surroundings.language.text("common")("seeLatest")}</a>
      </div>
      <div class="watch in-playlist" data-own-playlist data-origin="${surroundings.instance.origin}" hidden></div>`
  })

/** Only the player of a playlist, for frames on other sites. */
export const playlistEmbedPage = (surroundings: Surroundings, page: PlaylistShown): Html => {
  const { origin } = surroundings.instance
  const { language } = surroundings
  const t = language.text("watch")
  const { place, places, played, playlist } = page
  const { canonical, embed, watch } = playlistAddresses(playlist, origin)
  const previous = place === undefined ? undefined : previousPosition(places, place.position)
  const next = place === undefined ? undefined : nextPosition(places, place.position)
  const title = html`<div class="embed-title">
    <a href="${watch}" target="_blank" rel="noopener" dir="auto">${playlist.displayName}</a>${
      place !== undefined && html`<span class="embed-place">${place.position} / ${places.total}</span>`
    }${previous !== undefined && html`<a class="embed-step" href="${at(embed, previous)}" rel="prev">${t("previous")}</a>`}${
      next !== undefined && html`<a class="embed-step" href="${at(embed, next)}" rel="next">${t("next")}</a>`
    }
  </div>`
  return bareLayout(surroundings, {
    title: playlist.displayName,
    entry: "embed",
    head: html`${noIndex}<link rel="canonical" href="${canonical}" />`,
    body: html`<div class="embed-course" ${course(page, embed)}>
      ${
        played === undefined
          ? html`<div class="embed-message">
              ${title}
              <p>${place === undefined ? t("emptyEmbed") : placeTitle(language, place)}</p>
            </div>`
          : stage(surroundings, played.video, played.shown, title)
      }
    </div>`
  })
}
