import { readBody } from "../../../packages/node/src/federation/inbox/ReceivedBody.ts"
import { Result } from "effect"
import type { Random } from "../dataset/Random.ts"
import { wordLanguages, type Words } from "../dataset/Words.ts"

/** Somebody elsewhere who publishes. */
export interface Publisher {
  readonly host: string
  readonly channel: string
  readonly account: string
}

/** A row of `inbox_activity` as accepting it would have made it. */
export interface KeptCreate {
  readonly uri: string
  readonly host: string
  readonly actor: string
  readonly object: string
  readonly body: string
}

const everybody = "https://www.w3.org/ns/activitystreams#Public"

const rendition = (href: string, height: number) => ({
  type: "Link",
  mediaType: "video/mp4",
  href,
  height,
  width: Math.round((height * 16) / 9),
  size: 400_000 * height,
  fps: 30,
  attachment: [
    { type: "PropertyValue", name: "ffprobe_codec_type", value: "audio" },
    { type: "PropertyValue", name: "ffprobe_codec_type", value: "video" }
  ]
})

/** What PeerTube says of a video (sample ap-video): two renditions, two pictures, a storyboard; no chapters. */
const video = (by: Publisher, random: Random, words: Words, tags: ReadonlyArray<string>, published: string) => {
  const origin = new URL(by.channel).origin
  const uuid = random.uuid()
  const id = `${origin}/videos/watch/${uuid}`
  const folder = `${origin}/static/streaming-playlists/hls/${uuid}`
  const picture = (name: string, width: number, height: number) => ({
    type: "Image",
    url: `${origin}/lazy-static/thumbnails/${uuid}-${name}.jpg`,
    mediaType: "image/jpeg",
    width,
    height
  })
  const language = random.pick(wordLanguages)
  const chosen = new Set(Array.from({ length: random.below(6) }, () => random.pick(tags)))
  const board = {
    mediaType: "image/jpeg",
    href: `${origin}/lazy-static/storyboards/${uuid}.jpg`,
    width: 960,
    height: 540
  }
  return {
    type: "Video",
    id,
    uuid,
    name: words.title(language).slice(0, 120),
    duration: `PT${10 + random.skewed(14_400, 4)}S`,
    category: { identifier: String(1 + random.zipf(18)), name: "" },
    licence: { identifier: String(1 + random.zipf(7)), name: "" },
    language: { identifier: language, name: "" },
    views: random.skewed(100_000, 8),
    sensitive: random.chance(0.04),
    state: 1,
    commentsPolicy: 1,
    commentsEnabled: true,
    canReply: everybody,
    downloadEnabled: true,
    waitTranscoding: true,
    isLiveBroadcast: false,
    published,
    originallyPublishedAt: null,
    updated: published,
    tag: [...chosen].map((name) => ({ type: "Hashtag", name })),
    mediaType: "text/markdown",
    content: words.description(language),
    support: null,
    icon: [picture("small", 280, 157), picture("large", 850, 480)],
    preview: [
      { type: "Image", rel: ["storyboard"], url: [{ ...board, tileWidth: 192, tileHeight: 108, tileDuration: "PT1S" }] }
    ],
    aspectRatio: 1.7778,
    url: [
      { type: "Link", mediaType: "text/html", href: id },
      {
        type: "Link",
        mediaType: "application/x-mpegURL",
        href: `${folder}/master.m3u8`,
        tag: [
          { type: "Link", name: "sha256", mediaType: "application/json", href: `${folder}/segments-sha256.json` },
          rendition(`${folder}/720-fragmented.mp4`, 720),
          rendition(`${folder}/360-fragmented.mp4`, 360)
        ]
      },
      { type: "Link", name: "tracker-http", rel: ["tracker", "http"], href: `${origin}/tracker/announce` }
    ],
    likes: `${id}/likes`,
    dislikes: `${id}/dislikes`,
    shares: `${id}/announces`,
    comments: `${id}/comments`,
    attributedTo: [
      { type: "Person", id: by.account },
      { type: "Group", id: by.channel }
    ],
    to: [everybody],
    cc: [`${by.account}/followers`]
  }
}

const comment = (by: Publisher, random: Random, words: Words, of: string, published: string) => ({
  type: "Note",
  id: `${of.replace(/^https?:\/\/[^/]+/, new URL(by.account).origin)}/comments/${random.uuid()}`,
  content: `<p>${words.description(random.pick(wordLanguages)).slice(0, 500)}</p>`,
  inReplyTo: of,
  published,
  url: `${by.account}/comments/${random.uuid()}`,
  attributedTo: by.account,
  tag: [],
  to: [everybody],
  cc: [`${by.account}/followers`]
})

/** One spelling, as the inbox keeps it. */
const normalised = (activity: object): string => {
  const read = readBody(Buffer.from(JSON.stringify(activity)))
  if (Result.isFailure(read)) throw new Error(read.failure.message)
  return JSON.stringify(read.success[0])
}

export interface CreateOptions {
  readonly random: Random
  readonly words: Words
  readonly publishers: ReadonlyArray<Publisher>
  readonly tags: ReadonlyArray<string>
  /** Addresses of videos of ours, for comments. */
  readonly ours: ReadonlyArray<string>
  /** How many of all are comments, 0 to 1. */
  readonly comments: number
}

/** Makes activities that somebody elsewhere published something, one after the other. */
export const creates = ({ comments, ours, publishers, random, tags, words }: CreateOptions): (() => KeptCreate) => {
  const from = Date.now()
  let made = 0
  return () => {
    const by = random.pick(publishers)
    const published = new Date(from + made++).toISOString()
    const isComment = random.chance(comments)
    const object = isComment
      ? comment(by, random, words, random.pick(ours), published)
      : video(by, random, words, tags, published)
    const uri = `${object.id}/activity`
    const actor = by.account
    const activity = { type: "Create", id: uri, actor, published, object, to: object.to, cc: object.cc }
    return { uri, host: by.host, actor, object: object.id, body: normalised(activity) }
  }
}
