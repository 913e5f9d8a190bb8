import { PlaylistPrivacy } from "@kinora/domain/enums/PlaylistPrivacy"
import type { VideoPlaylist } from "@kinora/domain/wire/VideoPlaylist"
import { toPlainText } from "../platform/markdown/Markdown.ts"
import { truncate } from "../platform/html/Escape.ts"
import { type Html, html } from "../platform/html/Html.ts"
import { noIndex } from "./Metadata.ts"
import type { Surroundings } from "./Layout.ts"

/** URLs of a playlist on this instance, absolute. */
export const playlistAddresses = (
  playlist: Pick<VideoPlaylist, "uuid" | "shortUUID" | "url" | "isLocal">,
  origin: string
) => ({
  watch: `${origin}/w/p/${playlist.shortUUID}`,
  /** The canonical page: for a remote playlist, the one on its own instance. */
  canonical: playlist.isLocal ? `${origin}/w/p/${playlist.shortUUID}` : playlist.url,
  embed: `${origin}/video-playlists/embed/${playlist.uuid}`
})

const size = { width: 1280, height: 720 }

/**
 * Metadata of a playlist that anonymous visitors may see, for other sites and search engines: Open Graph, player card,
 * oEmbed link.
 */
export const playlistMetadata = (playlist: VideoPlaylist, { instance, language }: Surroundings): Html => {
  const { name, origin } = instance
  const { canonical, embed, watch } = playlistAddresses(playlist, origin)
  const title = playlist.displayName
  const description =
    truncate(toPlainText(playlist.description ?? "").replace(/\s+/g, " "), 250) ||
    language.text("watch")("playlistOn", { name: title, instance: name })
  const image = playlist.thumbnails.toSorted((a, b) => b.width - a.width)[0]
  return html`${playlist.privacy.id !== PlaylistPrivacy.public && noIndex}<link
      rel="canonical"
      href="${canonical}"
    /><meta name="description" content="${description}" /><meta property="og:type" content="video.other" /><meta
      property="og:title"
      content="${title}"
    /><meta property="og:description" content="${description}" /><meta property="og:url" content="${canonical}" />${
      image !== undefined &&
      html`<meta property="og:image" content="${image.fileUrl}" />
        <meta property="og:image:width" content="${image.width}" />
        <meta property="og:image:height" content="${image.height}" />
        <meta property="og:image:alt" content="${title}" /><meta name="twitter:image" content="${image.fileUrl}" />`
    }<meta property="og:video" content="${embed}" /><meta property="og:video:url" content="${embed}" />${
      embed.startsWith("https:") && html`<meta property="og:video:secure_url" content="${embed}" />`
    }<meta property="og:video:type" content="text/html" /><meta property="og:video:width" content="${size.width}" />
    <meta property="og:video:height" content="${size.height}" /><meta name="twitter:card" content="player" />
    <meta name="twitter:title" content="${title}" /><meta name="twitter:description" content="${description}" />
    <meta name="twitter:player" content="${embed}" /><meta name="twitter:player:width" content="${size.width}" />
    <meta name="twitter:player:height" content="${size.height}" />
    <link
      rel="alternate"
      type="application/json+oembed"
      href="${origin}/services/oembed?url=${encodeURIComponent(watch)}"
      title="${title}"
    />`
}
