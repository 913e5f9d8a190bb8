import { setTimeout } from "node:timers/promises"
import { Effect, Layer, type Scope } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { generateKeyPairSync } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { fetchServices } from "../../../src/federation/fetch/FetchServices.ts"
import { layerServe } from "../../../src/platform/http/HttpServerLayer.ts"
import { testOptions, testRoutes, testServices } from "../../instance/about/TestNode.ts"

/** A node whose fetches are not held to the rates of hosts: all of them here are this machine. */
export const readingNode = layerServe(testRoutes, testOptions).pipe(
  Layer.provideMerge(testServices({}, fetchServices({ addresses: "loopback", host: { rate: 10_000, burst: 10_000 } })))
)

/** The instance follows an actor: what it publishes is for everybody here. */
export const followed = (actorUrl: string) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql`
      insert into actor_follow (actor_id, target_actor_id, state)
      select o.id, t.id, 'accepted' from actor o, actor t
      where o.type = 'Application' and o.server_id is null and t.url = ${actorUrl}`
  )

export type Document = Record<string, unknown>
type Respond = (request: IncomingMessage, response: ServerResponse) => void

/** Another instance as far as it can be read: documents at paths of an address of its own on this machine. */
export interface Origin {
  readonly origin: string
  readonly host: string
  /** Serves a document at its id, or at another path. */
  readonly put: (document: Document, path?: string) => string
  readonly answer: (path: string, respond: Respond) => void
  readonly drop: (path: string) => void
  /** How often a path was asked for, and with which headers last. */
  readonly asked: Map<string, number>
  readonly headers: Map<string, IncomingMessage["headers"]>
}

export const publicPem = generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({
  type: "spki",
  format: "pem"
}) as string

/** Looking without a pause runs into the rate limits of what is looked at. */
const pause = () => setTimeout(25)

/** Looks again until it holds, and gives what it then is; dies when it does not come to hold. */
export const until = Effect.fnUntraced(function* <A, E, R>(look: Effect.Effect<A, E, R>, holds: (value: A) => boolean) {
  for (const end = performance.now() + 20_000; performance.now() < end;) {
    const value = yield* look
    if (holds(value)) return value
    yield* Effect.promise(pause)
  }
  return yield* Effect.die("it did not come to hold")
})

/** Starts one; it ends with the scope. */
export const startOrigin: Effect.Effect<Origin, never, Scope.Scope> = Effect.gen(function* () {
  const answers = new Map<string, Respond>()
  const asked = new Map<string, number>()
  const headers = new Map<string, IncomingMessage["headers"]>()
  const server = createServer((request, response) => {
    const path = request.url ?? "/"
    asked.set(path, (asked.get(path) ?? 0) + 1)
    headers.set(path, request.headers)
    const respond = answers.get(path)
    if (respond !== undefined) return respond(request, response)
    response.writeHead(404).end()
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () =>
      Effect.callback<void>((resume) => {
        server.closeAllConnections()
        server.close(() => resume(Effect.void))
      })
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const origin = `http://127.0.0.1:${port}`
  const answer = (path: string, respond: Respond) => void answers.set(path, respond)
  return {
    origin,
    host: `127.0.0.1:${port}`,
    asked,
    headers,
    answer,
    drop: (path) => void answers.delete(path),
    put: (document, path) => {
      const url = new URL(path ?? String(document["id"]), origin)
      const body = JSON.stringify(document)
      answer(url.pathname + url.search, (_request, response) => {
        response.writeHead(200, { "content-type": "application/activity+json; charset=utf-8" }).end(body)
      })
      return url.href
    }
  }
})

const context = ["https://www.w3.org/ns/activitystreams", "https://w3id.org/security/v1"]
const everybody = "https://www.w3.org/ns/activitystreams#Public"

/** An account or channel as PeerTube writes it (samples ap-person, ap-group). */
export const peertubeActor = (origin: string, name: string, owner?: string): Document => {
  const id = `${origin}/${owner === undefined ? "accounts" : "video-channels"}/${name}`
  return {
    "@context": context,
    type: owner === undefined ? "Person" : "Group",
    id,
    following: `${id}/following`,
    followers: `${id}/followers`,
    playlists: `${id}/playlists`,
    inbox: `${id}/inbox`,
    outbox: `${id}/outbox`,
    preferredUsername: name,
    url: id,
    name: `${name} of afar`,
    endpoints: { sharedInbox: `${origin}/inbox` },
    publicKey: { id: `${id}#main-key`, owner: id, publicKeyPem: publicPem },
    published: "2026-11-21T09:25:42.996Z",
    summary: "About **me**",
    icon: [
      { type: "Image", mediaType: "image/png", width: 120, height: 120, url: `${origin}/lazy-static/avatars/a.png` }
    ],
    ...(owner === undefined ? {} : { support: null, attributedTo: [{ type: "Person", id: owner }] })
  }
}

const rendition = (href: string, height: number, flag: string): Document => ({
  type: "Link",
  mediaType: "video/mp4",
  href,
  height,
  width: Math.round((height * 16) / 9),
  size: 1_000 * height,
  fps: 25,
  attachment: [
    { type: "PropertyValue", name: "ffprobe_codec_type", value: "audio" },
    { type: "PropertyValue", name: "ffprobe_codec_type", value: "video" },
    { type: "PropertyValue", name: "peertube_format_flag", value: flag }
  ]
})

/** A video as PeerTube writes it (sample ap-video). */
export const peertubeVideo = (origin: string, uuid: string, more: Document = {}): Document => {
  const id = `${origin}/videos/watch/${uuid}`
  const hash = "49cd630fb0964ccaa162247533c92c3cdc016344"
  return {
    "@context": context,
    to: [everybody],
    cc: [`${origin}/accounts/ann/followers`],
    type: "Video",
    id,
    name: "A video from afar",
    duration: "PT65S",
    uuid,
    category: { identifier: "2", name: "Films" },
    licence: { identifier: "1", name: "Attribution" },
    language: { identifier: "fr", name: "French" },
    views: 12,
    sensitive: false,
    state: 1,
    commentsPolicy: 1,
    downloadEnabled: true,
    published: "2026-11-20T09:25:54.265Z",
    originallyPublishedAt: null,
    updated: "2026-11-21T09:25:54.265Z",
    tag: [
      { type: "Hashtag", name: "one" },
      { type: "Hashtag", name: "two" }
    ],
    mediaType: "text/markdown",
    content: "About **this**",
    support: null,
    subtitleLanguage: [{ identifier: "fr", name: "French", url: `${origin}/lazy-static/video-captions/fr.vtt` }],
    icon: [
      {
        type: "Image",
        url: `${origin}/lazy-static/thumbnails/t.jpg`,
        mediaType: "image/jpeg",
        width: 280,
        height: 157
      },
      { type: "Image", url: `${origin}/lazy-static/previews/p.jpg`, mediaType: "image/jpeg", width: 850, height: 480 }
    ],
    preview: [
      {
        type: "Image",
        rel: ["storyboard"],
        url: [
          {
            mediaType: "image/jpeg",
            href: `${origin}/lazy-static/storyboards/s.jpg`,
            width: 960,
            height: 108,
            tileWidth: 192,
            tileHeight: 108,
            tileDuration: "PT1S"
          }
        ]
      }
    ],
    aspectRatio: 1.7778,
    url: [
      { type: "Link", mediaType: "text/html", href: id },
      rendition(`${origin}/static/web-videos/w-360.mp4`, 360, "web-video"),
      {
        type: "Link",
        rel: ["metadata", "video/mp4"],
        mediaType: "application/json",
        href: `${origin}/api/v1/videos/${uuid}/metadata/1`,
        height: 360,
        width: 640,
        fps: 25
      },
      {
        type: "Link",
        mediaType: "application/x-bittorrent",
        href: `${origin}/lazy-static/torrents/w-360.torrent`,
        height: 360,
        width: 640,
        fps: 25
      },
      {
        type: "Link",
        mediaType: "application/x-bittorrent;x-scheme-handler/magnet",
        href: `magnet:?xs=x&xt=urn:btih:${hash}&dn=x`,
        height: 360,
        width: 640,
        fps: 25
      },
      {
        type: "Link",
        mediaType: "application/x-mpegURL",
        href: `${origin}/static/streaming-playlists/hls/${uuid}/master.m3u8`,
        tag: [
          { type: "Infohash", name: hash },
          {
            type: "Link",
            name: "sha256",
            mediaType: "application/json",
            href: `${origin}/static/streaming-playlists/hls/${uuid}/segments-sha256.json`
          },
          rendition(`${origin}/static/streaming-playlists/hls/${uuid}/720-fragmented.mp4`, 720, "fragmented")
        ]
      },
      { type: "Link", name: "tracker-http", rel: ["tracker", "http"], href: `${origin}/tracker/announce` }
    ],
    likes: `${id}/likes`,
    dislikes: `${id}/dislikes`,
    shares: `${id}/announces`,
    comments: `${id}/comments`,
    hasParts: `${id}/chapters`,
    attributedTo: [
      { type: "Person", id: `${origin}/accounts/ann` },
      { type: "Group", id: `${origin}/video-channels/ann_channel` }
    ],
    isLiveBroadcast: false,
    liveSaveReplay: null,
    permanentLive: null,
    latencyMode: null,
    ...more
  }
}

/** An instance with one account, its channel, and a video in it. */
export const startPeertube = Effect.gen(function* () {
  const peer = yield* startOrigin
  const uuid = crypto.randomUUID()
  const account = peer.put(peertubeActor(peer.origin, "ann"))
  const channel = peer.put(peertubeActor(peer.origin, "ann_channel", account))
  const video = peer.put(peertubeVideo(peer.origin, uuid))
  peer.put({ id: `${video}/likes`, type: "OrderedCollection", totalItems: 7 })
  peer.put({
    id: `${video}/chapters`,
    hasPart: [
      { name: "Begin", startOffset: 0 },
      { name: "End", startOffset: 30 }
    ]
  })
  return { ...peer, uuid, account, channel, video }
})

/** A person as Mastodon writes it: no list of icons, HTML, no playlists. */
export const mastodonActor = (origin: string, name: string): Document => {
  const id = `${origin}/users/${name}`
  return {
    "@context": [
      ...context,
      { manuallyApprovesFollowers: "as:manuallyApprovesFollowers", toot: "http://joinmastodon.org/ns#" }
    ],
    id,
    type: "Person",
    following: `${id}/following`,
    followers: `${id}/followers`,
    inbox: `${id}/inbox`,
    outbox: `${id}/outbox`,
    preferredUsername: name,
    name: "",
    summary:
      '<p>Hello &amp; welcome<br>to <a href="https://far.example/me" rel="me"><span class="invisible">https://</span>far.example/me</a></p>',
    url: `${origin}/@${name}`,
    manuallyApprovesFollowers: false,
    discoverable: true,
    indexable: false,
    published: "2026-01-01T00:00:00Z",
    publicKey: { id: `${id}#main-key`, owner: id, publicKeyPem: publicPem },
    tag: [],
    attachment: [],
    endpoints: { sharedInbox: `${origin}/inbox` },
    icon: { type: "Image", mediaType: "image/png", url: `${origin}/media/icon.png` },
    image: { type: "Image", mediaType: "image/png", url: `${origin}/media/header.png` }
  }
}

/** A reply as Mastodon writes it. */
export const mastodonNote = (
  origin: string,
  name: string,
  id: number,
  inReplyTo: string,
  more: Document = {}
): Document => ({
  "@context": context,
  id: `${origin}/users/${name}/statuses/${id}`,
  type: "Note",
  summary: null,
  inReplyTo,
  published: new Date(Date.UTC(2026, 10, 21, 10, 0, id)).toISOString(),
  url: `${origin}/@${name}/${id}`,
  attributedTo: `${origin}/users/${name}`,
  to: "as:Public",
  cc: [`${origin}/users/${name}/followers`],
  sensitive: false,
  content: `<p><span class="h-card"><a href="https://far.example/@ann" class="u-url mention">@<span>ann</span></a></span> reply ${id}</p><script>alert(1)</script>`,
  contentMap: { en: "x" },
  tag: [{ type: "Mention", href: "https://far.example/@ann", name: "@ann@far.example" }],
  ...more
})
