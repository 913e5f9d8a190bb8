import type { VideoDetails } from "@kinora/domain/wire/Video"
import { toPlainText } from "../platform/markdown/Markdown.ts"
import { truncate } from "../platform/html/Escape.ts"
import { type Html, html, jsonLd, nothing } from "../platform/html/Html.ts"
import { isOn, nextSchedule } from "./LiveWords.ts"
import type { PageLanguage } from "./language/PageLanguage.ts"
import { isoDuration } from "./Text.ts"
import type { Showing } from "./Visibility.ts"

export const noIndex = html`<meta name="robots" content="noindex" />`

/** URLs of a video on this instance, absolute. */
export const videoAddresses = (
  video: Pick<VideoDetails, "uuid" | "shortUUID" | "url" | "isLocal">,
  origin: string
) => ({
  watch: `${origin}/w/${video.shortUUID}`,
  /** The canonical page: for a remote video, the one on its own instance. */
  canonical: video.isLocal ? `${origin}/w/${video.shortUUID}` : video.url,
  embed: `${origin}/videos/embed/${video.uuid}`
})

export interface Picture {
  readonly url: string
  readonly width: number
  readonly height: number
}

/** The largest thumbnail of a video. The deprecated path is used if sizes are unknown. */
export const picture = (video: VideoDetails, origin: string): Picture | undefined => {
  const largest = [...video.thumbnails].sort((a, b) => b.width - a.width)[0]
  if (largest !== undefined) return { url: largest.fileUrl, width: largest.width, height: largest.height }
  return video.previewPath === "" ? undefined : { url: `${origin}${video.previewPath}`, width: 850, height: 480 }
}

/** Size of the player in a card on another site: the width is fixed, the height follows the aspect ratio. */
const playerSize = (video: VideoDetails) => {
  const ratio = video.aspectRatio ?? 16 / 9
  return ratio >= 1
    ? { width: 1280, height: Math.round(1280 / ratio) }
    : { width: Math.round(720 * ratio), height: 720 }
}

const oembedLink = (watch: string, origin: string, title: string): Html =>
  html`<link
    rel="alternate"
    type="application/json+oembed"
    href="${origin}/services/oembed?url=${encodeURIComponent(watch)}"
    title="${title}"
  />`

/** Where the video itself is: programs that read pages, and search engines, take it from there. */
const contentOf = (video: VideoDetails): string | undefined =>
  video.streamingPlaylists[0]?.playlistUrl ??
  video.files.toSorted((a, b) => b.resolution.id - a.resolution.id).find(({ fileUrl }) => fileUrl)?.fileUrl

/** What metadata take of the instance, and the language of the page that they stand in. */
interface Around {
  readonly instance: { readonly origin: string; readonly name: string }
  readonly language: PageLanguage
}

const descriptionOf = (video: VideoDetails, { instance, language }: Around): string =>
  truncate(toPlainText(video.description ?? "").replace(/\s+/g, " "), 250) ||
  language.text("common")("onInstance", { name: video.name, instance: instance.name })

/** When a live is sent, and whether it is now (schema.org, BroadcastEvent). The time of one that is not announced is that of its page. */
const broadcast = (video: VideoDetails, now: number) => {
  const at = isOn(video) ? undefined : nextSchedule(video, now)
  return {
    "@type": "BroadcastEvent",
    name: video.name,
    isLiveBroadcast: true,
    startDate: at === undefined ? video.publishedAt : new Date(at).toISOString()
  }
}

/** What search engines and programs read of a public video (schema.org, JSON-LD). */
export const videoData = (video: VideoDetails, around: Around): Html => {
  const { origin } = around.instance
  const { canonical, embed } = videoAddresses(video, origin)
  const image = picture(video, origin)
  const content = contentOf(video)
  return jsonLd({
    "@context": "https://schema.org",
    "@type": "VideoObject",
    name: video.name,
    description: descriptionOf(video, around),
    ...(video.isLive ? { publication: broadcast(video, Date.now()) } : { duration: isoDuration(video.duration) }),
    uploadDate: video.publishedAt,
    url: canonical,
    embedUrl: embed,
    ...(content === undefined ? {} : { contentUrl: content }),
    ...(image === undefined ? {} : { thumbnailUrl: image.url }),
    author: { "@type": "Organization", name: video.channel.displayName, url: video.channel.url },
    interactionStatistic: {
      "@type": "InteractionCounter",
      interactionType: { "@type": "WatchAction" },
      userInteractionCount: video.views
    }
  })
}

/**
 * Metadata for other sites and search engines: Open Graph, Twitter player card, author (which Mastodon shows below its
 * card), oEmbed link, JSON-LD. A video that may not be shown has nothing but the request not to be indexed.
 */
export const videoMetadata = (video: VideoDetails, shown: Showing, around: Around): Html => {
  if (shown !== "public" && shown !== "unlisted") return noIndex
  const { origin } = around.instance
  const t = around.language.text("watch")
  const { canonical, embed, watch } = videoAddresses(video, origin)
  const description = descriptionOf(video, around)
  const size = playerSize(video)
  // Sensitive thumbnails are not shown to people who only see a link.
  const image = video.nsfw ? undefined : picture(video, origin)
  return html`${shown === "unlisted" && noIndex}<link rel="canonical" href="${canonical}" /><meta
      name="description"
      content="${description}"
    /><meta property="og:type" content="video.other" /><meta property="og:title" content="${video.name}" /><meta
      property="og:description"
      content="${description}"
    /><meta property="og:url" content="${canonical}" />${
      image !== undefined &&
      html`<meta property="og:image" content="${image.url}" />
        <meta property="og:image:width" content="${image.width}" />
        <meta property="og:image:height" content="${image.height}" />
        <meta property="og:image:alt" content="${video.name}" /><meta name="twitter:image" content="${image.url}" />`
    }<meta property="og:video" content="${embed}" /><meta property="og:video:url" content="${embed}" />${
      embed.startsWith("https:") && html`<meta property="og:video:secure_url" content="${embed}" />`
    }<meta property="og:video:type" content="text/html" /><meta
      property="og:video:width"
      content="${size.width}"
    /><meta property="og:video:height" content="${size.height}" /><meta
      property="og:video:duration"
      content="${video.duration}"
    />${video.tags.slice(0, 20).map((tag) => html`<meta property="og:video:tag" content="${tag}" />`)}<meta
      name="twitter:card"
      content="player"
    /><meta name="twitter:title" content="${video.name}" /><meta
      name="twitter:description"
      content="${description}"
    /><meta name="twitter:player" content="${embed}" /><meta name="twitter:player:width" content="${size.width}" /><meta
      name="twitter:player:height"
      content="${size.height}"
    /><meta name="fediverse:creator" content="@${video.channel.name}@${video.channel.host}" />${oembedLink(
      watch,
      origin,
      video.name
    )}${activityLink(video.url)}${feedLinks([
      { title: t("commentsOn", { name: video.name }), path: `/feeds/video-comments.xml?videoId=${video.uuid}` },
      { title: video.channel.displayName, path: `/feeds/videos.xml?videoChannelId=${video.channel.id}` },
      {
        title: t("podcast", { name: video.channel.displayName }),
        path: `/feeds/podcast/videos.xml?videoChannelId=${video.channel.id}`
      }
    ])}${shown === "public" ? videoData(video, around) : nothing}`
}

/** Link to the ActivityPub object of a page: some servers follow this link instead of using content negotiation. */
export const activityLink = (url: string): Html =>
  html`<link rel="alternate" type="application/activity+json" href="${url}" />`

/** A feed that belongs to a page: feed readers find it by its link in the head. */
export interface FeedLink {
  readonly title: string
  /** Root-relative. */
  readonly path: string
  readonly type?: "application/rss+xml" | "application/atom+xml" | "application/feed+json"
}

/** Links to feeds (RSS Autodiscovery). Programs that do not ask the user take the first. */
export const feedLinks = (links: ReadonlyArray<FeedLink>): Html =>
  html`${links.map(
    ({ path, title, type = "application/rss+xml" }) =>
      html`<link rel="alternate" type="${type}" title="${title}" href="${path}" />`
  )}`

/** Open Graph metadata of pages without a video. */
export const pageMetadata = (options: {
  readonly type: "website" | "profile"
  readonly title: string
  readonly description: string
  readonly url: string
  readonly image?: string | undefined
}): Html =>
  html`<link rel="canonical" href="${options.url}" /><meta name="description" content="${options.description}" />
    <meta property="og:type" content="${options.type}" /><meta property="og:title" content="${options.title}" />
    <meta property="og:description" content="${options.description}" />
    <meta property="og:url" content="${options.url}" />${
      options.image !== undefined && html`<meta property="og:image" content="${options.image}" />`
    }<meta name="twitter:card" content="summary" /><meta name="twitter:title" content="${options.title}" />
    <meta name="twitter:description" content="${options.description}" />`
