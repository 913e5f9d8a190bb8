import { Feed, type Item } from "feed"
import { cleanText, escapeHtml } from "../../platform/html/Escape.ts"
import type { CommentEntry, FeedHead, VideoEntry } from "./FeedShape.ts"
import { rightsOf } from "./RssFeed.ts"

type Kind = "atom" | "json"

/** The library takes `&amp;` in text for an ampersand that was escaped before: one that people wrote is escaped once more. */
const atomText = (text: string): string => cleanText(text).replaceAll("&amp;", "&amp;amp;")

const textOf = (kind: Kind, text: string): string => (kind === "atom" ? atomText(text) : cleanText(text))

/**
 * Titles of Atom entries are HTML in a CDATA section, of which the library would end no more than the first `]]>`: in escaped
 * text there is none.
 */
const titleOf = (kind: Kind, text: string): string => (kind === "atom" ? escapeHtml(text) : cleanText(text))

const feedOf = (kind: Kind, head: FeedHead): Feed =>
  new Feed({
    id: head.link,
    title: textOf(kind, head.title),
    description: textOf(kind, head.description),
    link: head.link,
    ...(head.self === undefined ? {} : { feedLinks: { [kind]: head.self } }),
    image: head.image,
    favicon: `${head.instance.origin}/client/icons/icon-32.png`,
    updated: new Date(head.updatedAt),
    generator: `Kinora - ${head.instance.origin}`,
    author: { name: textOf(kind, head.author), link: head.link },
    copyright: textOf(kind, rightsOf(head))
  })

const text = (feed: Feed, kind: Kind): string => (kind === "atom" ? feed.atom1() : feed.json1())

/** What JSON Feed has files as: the one to play, then the torrents. */
const attachments = (entry: VideoEntry) =>
  [
    ...(entry.enclosure === undefined
      ? []
      : [{ url: entry.enclosure.url, mime_type: entry.enclosure.type, size: entry.enclosure.size }]),
    ...entry.files.flatMap(({ size, torrentUrl }) =>
      torrentUrl === null ? [] : [{ url: torrentUrl, mime_type: "application/x-bittorrent", size }]
    )
  ].map(({ mime_type, size, url }) => ({ url, mime_type, title: cleanText(entry.title), size_in_bytes: size }))

const videoItem = (kind: Kind, entry: VideoEntry): Item => ({
  id: entry.link,
  link: entry.link,
  title: titleOf(kind, entry.title),
  ...(entry.summary === "" ? {} : { description: titleOf(kind, entry.summary) }),
  content: entry.html,
  date: new Date(entry.updatedAt),
  published: new Date(entry.publishedAt),
  author: [{ name: textOf(kind, entry.channel.name), link: entry.channel.url }],
  ...(kind === "atom"
    ? {}
    : {
        ...(entry.thumbnails.length === 0 ? {} : { image: entry.thumbnails.at(-1)!.fileUrl }),
        category: [...(entry.category === undefined ? [] : [entry.category.label]), ...entry.tags].map((name) => ({
          name: cleanText(name)
        })),
        // The type of an extension wants an object; the format wants a list here.
        extensions: [{ name: "attachments", objects: attachments(entry) as unknown as Record<string, unknown> }]
      })
})

const commentItem = (kind: Kind, entry: CommentEntry): Item => ({
  id: entry.id,
  link: entry.link,
  title: titleOf(kind, entry.title),
  content: entry.html,
  date: new Date(entry.publishedAt),
  published: new Date(entry.publishedAt),
  author: [{ name: textOf(kind, entry.author.name), link: entry.author.url }]
})

/** Atom 1.0 (RFC 4287), or JSON Feed 1, of videos. */
export const otherVideos = (kind: Kind, head: FeedHead, entries: ReadonlyArray<VideoEntry>): string => {
  const feed = feedOf(kind, head)
  for (const entry of entries) feed.addItem(videoItem(kind, entry))
  return text(feed, kind)
}

/** The same of comments. */
export const otherComments = (kind: Kind, head: FeedHead, entries: ReadonlyArray<CommentEntry>): string => {
  const feed = feedOf(kind, head)
  for (const entry of entries) feed.addItem(commentItem(kind, entry))
  return text(feed, kind)
}
