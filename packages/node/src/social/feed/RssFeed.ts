import { element, empty, leaf, rssTime, xmlDocument } from "./FeedXml.ts"
import type { CommentEntry, FeedFile, FeedHead, VideoEntry } from "./FeedShape.ts"

const namespaces = {
  version: "2.0",
  "xmlns:dc": "http://purl.org/dc/elements/1.1/",
  "xmlns:content": "http://purl.org/rss/1.0/modules/content/",
  "xmlns:atom": "http://www.w3.org/2005/Atom"
}

/** The owner of what the feed contains. */
export const rightsOf = ({ instance }: FeedHead): string =>
  `All rights belong to who made each entry; terms of this instance: ${instance.origin}/about`

/** The elements every RSS channel has. */
export const rssHead = (head: FeedHead): ReadonlyArray<string> => [
  leaf("title", head.title),
  leaf("link", head.link),
  leaf("description", head.description),
  leaf("lastBuildDate", rssTime(head.updatedAt)),
  leaf("docs", "https://www.rssboard.org/rss-specification"),
  leaf("generator", `Kinora - ${head.instance.origin}`),
  element("image", {}, leaf("title", head.title), leaf("url", head.image), leaf("link", head.link)),
  leaf("copyright", rightsOf(head)),
  head.self === undefined ? "" : empty("atom:link", { href: head.self, rel: "self", type: "application/rss+xml" })
]

const peerLink = ({ torrentUrl }: FeedFile): string =>
  torrentUrl === null
    ? ""
    : empty("media:peerLink", { type: "application/x-bittorrent", href: torrentUrl, isDefault: false })

const content = (file: FeedFile, duration: number, isDefault: boolean): string =>
  empty("media:content", {
    type: file.type,
    medium: file.hasVideo ? "video" : "audio",
    height: file.hasVideo ? file.resolution : undefined,
    fileSize: file.size,
    url: file.url,
    framerate: file.hasVideo ? file.fps : undefined,
    duration,
    isDefault
  })

/** A video with what Media RSS has for it. */
const videoItem = (entry: VideoEntry): string =>
  element(
    "item",
    {},
    leaf("title", entry.title),
    leaf("link", entry.link),
    leaf("guid", entry.link),
    leaf("pubDate", rssTime(entry.publishedAt)),
    entry.summary !== "" && leaf("description", entry.summary),
    entry.html !== "" && leaf("content:encoded", entry.html),
    leaf("dc:creator", entry.channel.name),
    leaf("category", entry.category?.label),
    entry.tags.map((tag) => leaf("category", tag)),
    entry.enclosure &&
      empty("enclosure", { length: entry.enclosure.size, type: entry.enclosure.type, url: entry.enclosure.url }),
    leaf("media:category", entry.category?.id, { label: entry.category?.label }),
    element("media:community", {}, empty("media:statistics", { views: entry.views })),
    empty("media:embed", { url: entry.embedUrl }),
    empty("media:player", { url: entry.link }),
    entry.files.length > 0 &&
      element(
        "media:group",
        {},
        entry.files.map(peerLink),
        entry.files.map((file, i) => content(file, entry.duration, i === 0))
      ),
    entry.thumbnails.map(({ fileUrl, height, width }) => empty("media:thumbnail", { url: fileUrl, height, width })),
    leaf("media:rating", entry.nsfw ? "adult" : "nonadult"),
    leaf("media:title", entry.title, { type: "plain" }),
    entry.summary !== "" && leaf("media:description", entry.summary, { type: "plain" })
  )

const videoItems = new WeakMap<VideoEntry, string>()

/** Entries are the same objects as long as their contents are the same. */
const keptVideoItem = (entry: VideoEntry): string => {
  const known = videoItems.get(entry)
  if (known !== undefined) return known
  // One string: as it was put together it is hundreds, which take more room than what they say.
  const item = Buffer.from(videoItem(entry)).toString()
  videoItems.set(entry, item)
  return item
}

const commentItem = (entry: CommentEntry): string =>
  element(
    "item",
    {},
    leaf("title", entry.title),
    leaf("link", entry.link),
    leaf("guid", entry.id, { isPermaLink: false }),
    leaf("pubDate", rssTime(entry.publishedAt)),
    leaf("content:encoded", entry.html),
    leaf("dc:creator", entry.author.name)
  )

/** RSS 2.0 (rssboard.org) with Media RSS 1.5, of videos. */
export const rssVideos = (head: FeedHead, entries: ReadonlyArray<VideoEntry>): string =>
  xmlDocument(
    element(
      "rss",
      { ...namespaces, "xmlns:media": "http://search.yahoo.com/mrss/" },
      element("channel", {}, rssHead(head), entries.map(keptVideoItem))
    )
  )

/** RSS 2.0 of comments. */
export const rssComments = (head: FeedHead, entries: ReadonlyArray<CommentEntry>): string =>
  xmlDocument(element("rss", namespaces, element("channel", {}, rssHead(head), entries.map(commentItem))))
