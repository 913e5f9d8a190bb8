import { createHash } from "node:crypto"
import { element, empty, leaf, rssTime, xmlDocument } from "./FeedXml.ts"
import type { FeedFile, FeedHead, VideoEntry } from "./FeedShape.ts"
import { rssHead } from "./RssFeed.ts"

/** Namespace of the ids of podcasts (Podcasting 2.0, `guid`). */
const guidNamespace = Buffer.from("ead4c236bf5858c6a2c6a6b28d128cb6", "hex")

/** The id of a podcast: a UUID of version 5 (RFC 9562, 5.5) of the feed's address without scheme and trailing slashes. */
export const podcastGuid = (address: string): string => {
  const name = address.replace(/^[a-z]+:\/\//, "").replace(/\/+$/, "")
  const bytes = createHash("sha1").update(guidNamespace).update(name).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x50
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString("hex")
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-")
}

/** A channel as a podcast. */
export interface Podcast {
  readonly head: FeedHead
  /** Who it is by. */
  readonly person: { readonly name: string; readonly url: string; readonly image: string | undefined }
  /** Address of mail, where the channel has a public one. */
  readonly email: string | undefined
}

const namespaces = {
  version: "2.0",
  "xmlns:podcast": "https://podcastindex.org/namespace/1.0",
  "xmlns:itunes": "http://www.itunes.com/dtds/podcast-1.0.dtd",
  "xmlns:dc": "http://purl.org/dc/elements/1.1/",
  "xmlns:content": "http://purl.org/rss/1.0/modules/content/",
  "xmlns:atom": "http://www.w3.org/2005/Atom"
}

const hlsType = "application/x-mpegURL"

const source = (uri: string, contentType?: string): string => empty("podcast:source", { uri, contentType })

const alternative = (file: FeedFile, duration: number, isDefault: boolean): string =>
  element(
    "podcast:alternateEnclosure",
    {
      type: file.type,
      length: file.size,
      bitrate: duration > 0 ? Math.round((file.size * 8) / duration) : undefined,
      height: file.hasVideo ? file.resolution : undefined,
      title: file.label,
      default: isDefault
    },
    source(file.url),
    file.torrentUrl !== null && source(file.torrentUrl, "application/x-bittorrent"),
    file.magnetUri !== null && source(file.magnetUri, "application/x-bittorrent")
  )

const playlist = (url: string | undefined, isDefault: boolean): string =>
  url === undefined
    ? ""
    : element("podcast:alternateEnclosure", { type: hlsType, title: "HLS", default: isDefault }, source(url))

const person = ({ person }: Podcast): string =>
  leaf("podcast:person", person.name, { href: person.url, img: person.image })

/** What an episode and a live broadcast have in common. */
const common = (podcast: Podcast, entry: VideoEntry): ReadonlyArray<string | false> => [
  leaf("title", entry.title),
  leaf("link", entry.link),
  leaf("guid", entry.link, { isPermaLink: true }),
  leaf("pubDate", rssTime(entry.publishedAt)),
  entry.html !== "" && leaf("description", entry.html),
  leaf("dc:creator", entry.account.name),
  person(podcast),
  ...entry.trackers.map((tracker) => leaf("podcast:tracker", tracker)),
  empty("podcast:socialInteract", {
    uri: entry.watchUrl,
    protocol: "activitypub",
    accountUrl: entry.account.url
  }),
  leaf("itunes:author", entry.account.name),
  empty("itunes:image", {
    href: entry.thumbnails.toSorted((a, b) => b.width - a.width)[0]?.fileUrl ?? podcast.head.image
  }),
  leaf("itunes:explicit", entry.nsfw ? "true" : "false")
]

const episode = (podcast: Podcast, entry: VideoEntry): string =>
  element(
    "item",
    {},
    ...common(podcast, entry),
    entry.enclosure &&
      empty("enclosure", { url: entry.enclosure.url, length: entry.enclosure.size, type: entry.enclosure.type }),
    entry.files.slice(0, entry.webVideos).map((file, i) => alternative(file, entry.duration, i === 0)),
    playlist(entry.playlistUrl, entry.webVideos === 0),
    leaf("itunes:duration", entry.duration),
    leaf("itunes:episodeType", "full"),
    entry.captions.map(({ language, type, url }) =>
      empty("podcast:transcript", { url, type, language, rel: "captions" })
    ),
    entry.chaptersUrl !== undefined &&
      empty("podcast:chapters", { url: entry.chaptersUrl, type: "application/json+chapters" })
  )

const live = (podcast: Podcast, entry: VideoEntry): string =>
  element(
    "podcast:liveItem",
    { status: "live", start: entry.publishedAt },
    ...common(podcast, entry),
    empty("enclosure", { url: entry.playlistUrl, length: 0, type: hlsType }),
    playlist(entry.playlistUrl, true),
    leaf("podcast:contentLink", entry.title, { href: entry.link })
  )

/** Players of podcasts can do nothing with an entry that has no file. */
const entryOf =
  (podcast: Podcast) =>
  (entry: VideoEntry): string => {
    if (entry.isLive) return entry.playlistUrl === undefined ? "" : live(podcast, entry)
    return entry.enclosure === undefined ? "" : episode(podcast, entry)
  }

/**
 * A channel's videos as a podcast: RSS 2.0 with the podcast namespace (podcastindex.org) and Apple's. It is locked: nobody
 * takes it elsewhere without its owner.
 */
export const podcastFeed = (podcast: Podcast, entries: ReadonlyArray<VideoEntry>): string => {
  const { email, head } = podcast
  return xmlDocument(
    element(
      "rss",
      namespaces,
      element(
        "channel",
        {},
        rssHead(head),
        leaf("podcast:guid", podcastGuid(head.self ?? head.link)),
        leaf("podcast:medium", "video"),
        leaf("podcast:locked", "yes", { owner: email }),
        person(podcast),
        leaf("itunes:author", podcast.person.name),
        element("itunes:owner", {}, leaf("itunes:name", podcast.person.name), leaf("itunes:email", email)),
        empty("itunes:image", { href: head.image }),
        leaf("itunes:explicit", entries.some(({ nsfw }) => nsfw) ? "true" : "false"),
        leaf("itunes:type", "episodic"),
        entries.map(entryOf(podcast))
      )
    )
  )
}
