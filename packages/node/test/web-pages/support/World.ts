import { ActorNotFound } from "@kinora/domain/errors/ActorErrors"
import { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { PlaylistNotFound } from "@kinora/domain/errors/PlaylistErrors"
import { VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import type { CommentThreads } from "@kinora/domain/wire/Comment"
import type { VideoDetails } from "@kinora/domain/wire/Video"
import type { VideoFacts } from "@kinora/storage/video/access/VideoFacts"
import { Context, Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { PagesOnly } from "./PagesOnly.ts"
import { PageActors } from "../../../src/web-pages/PageActors.ts"
import { PageComments } from "../../../src/web-pages/PageComments.ts"
import { PageInstance } from "../../../src/web-pages/PageInstance.ts"
import { PageSignup } from "../../../src/web-pages/PageSignup.ts"
import { PageLists } from "../../../src/web-pages/PageLists.ts"
import { PagePlaylists } from "../../../src/web-pages/PagePlaylists.ts"
import { PageVideos } from "../../../src/web-pages/PageVideos.ts"
import { originsOf } from "../../../src/web-pages/Policy.ts"
import { VideoOrigins } from "../../../src/web-pages/VideoOrigins.ts"
import { makeAccount, makeChannel, makePlaylist, uuidOf } from "./WireVideos.ts"

/** What a test server shows; tests fill and change it. */
export class World extends Context.Service<
  World,
  {
    readonly origin: string
    readonly videos: Map<string, VideoDetails>
    /** Videos of playlists in their order, by the playlists' UUIDs. */
    readonly playlists: Map<string, ReadonlyArray<VideoDetails>>
    /** What is said below videos, by their ids. */
    readonly comments: Map<number, CommentThreads>
    /** The database is away. */
    broken: boolean
    readonly add: (video: VideoDetails) => VideoDetails
  }
>()("test/World") {
  static readonly layer = Layer.effect(
    World,
    Effect.gen(function* () {
      const { address } = yield* HttpServer.HttpServer
      const port = address._tag === "UnixPathAddress" ? 0 : address.port
      const videos = new Map<string, VideoDetails>()
      return World.of({
        origin: `http://127.0.0.1:${port}`,
        videos,
        playlists: new Map(),
        comments: new Map(),
        broken: false,
        add: (video) => {
          videos.set(video.uuid, video)
          return video
        }
      })
    })
  )
}

const instance = Layer.effect(
  PageInstance,
  Effect.map(World, ({ origin }) =>
    PageInstance.of({
      name: "Kinora",
      shortDescription: "Videos of our own, for everyone.",
      description: "A place for open movies.\n\nRun by volunteers.",
      terms: "Be kind.",
      hasContactForm: false,
      broadcast: undefined,
      custom: { styles: undefined, script: undefined },
      hidesName: false,
      logos: {},
      browse: { sort: "-publishedAt", local: false },
      about: { language: "en", country: "", support: "", links: [] },
      autoplay: true,
      origin,
      version: "0.1.0",
      mediaOrigins: [],
      csp: { enabled: true, reportOnly: false, reportUri: null },
      frameguard: true,
      nsfwPolicy: "blur"
    })
  )
)

const signup = Layer.succeed(PageSignup)({
  shown: () => Effect.succeed({ allowed: false, allowedForCurrentIP: false }),
  requiresApproval: true,
  verifiesEmail: false,
  minimumAge: 16,
  isOffered: false,
  sendsMail: false
})

const away = new DatabaseUnavailable({ retryAfterSeconds: 5 })

const factsOf = (video: VideoDetails): VideoFacts => ({
  channelId: video.channel.id,
  isLive: false,
  collaborators: [],
  id: video.id,
  uuid: video.uuid,
  privacy: video.privacy.id,
  state: video.state.id,
  blacklisted: video.blacklisted === true,
  remote: !video.isLocal,
  accountId: video.account.id
})

const videos = Layer.effect(
  PageVideos,
  Effect.map(World, (world) =>
    PageVideos.of({
      embedPrivacy: () => Effect.succeed({ policy: 1, domains: [] }),
      byId: (id) => {
        if (world.broken) return Effect.fail(away)
        const all = [...world.videos.values()]
        const found = all.find((it) => (id._tag === "Id" ? it.id === id.id : it.uuid === id.uuid))
        return found === undefined
          ? Effect.fail(new VideoNotFound())
          : Effect.succeed({ details: found, facts: factsOf(found) })
      },
      list: ({ account, channel, count, includeScheduledLive, search, sort, start }) => {
        if (world.broken) return Effect.fail(away)
        const listed = [...world.videos.values()]
          .filter((it) => it.privacy.id === 1 && it.blacklisted !== true)
          .filter((it) => it.state.id === 1 || (includeScheduledLive === true && it.liveSchedules !== undefined))
          .filter((it) => channel === undefined || it.channel.name === channel)
          .filter((it) => account === undefined || it.account.name === account)
          .filter((it) => search === undefined || it.name.includes(search))
          .sort((a, b) => (sort === "-trending" ? b.views - a.views : b.publishedAt.localeCompare(a.publishedAt)))
        return Effect.succeed({ total: listed.length, data: listed.slice(start, start + count) })
      }
    })
  )
)

const origins = Layer.effect(
  VideoOrigins,
  Effect.map(World, (world) => VideoOrigins.of({ of: (video) => Effect.sync(() => originsOf(video, world.origin)) }))
)

const comments = Layer.effect(
  PageComments,
  Effect.map(World, (world) =>
    PageComments.of({
      first: (videoId) =>
        Effect.succeed(world.comments.get(videoId) ?? { total: 0, totalNotDeletedComments: 0, data: [] })
    })
  )
)

const playlists = Layer.effect(
  PagePlaylists,
  Effect.map(World, (world) =>
    PagePlaylists.of({
      byId: (id) => {
        const videos = id._tag === "Uuid" ? world.playlists.get(id.uuid) : undefined
        return id._tag !== "Uuid" || videos === undefined
          ? Effect.fail(new PlaylistNotFound())
          : Effect.succeed(makePlaylist(world.origin, id.uuid, videos.length))
      },
      elements: (playlistId) => {
        const videos = world.playlists.get(uuidOf(playlistId)) ?? []
        const data = videos.map((video, i) => ({
          id: i + 1,
          position: i + 1,
          startTimestamp: null,
          stopTimestamp: null,
          type: 0 as const,
          video
        }))
        return Effect.succeed({ total: data.length, data })
      }
    })
  )
)

const actors = Layer.effect(
  PageActors,
  Effect.map(World, (world) =>
    PageActors.of({
      indexable: () => Effect.succeed(true),
      byHandle: ({ host, name }, kind) => {
        const account = makeAccount(world.origin)
        const channel = makeChannel(world.origin)
        if (host !== undefined) return Effect.fail(new ActorNotFound())
        if (kind !== "channel" && name === account.name) {
          return Effect.succeed({
            kind: "account" as const,
            actor: { ...account, description: "<b>Hello</b> https://example.org/" }
          })
        }
        if (kind !== "account" && name === channel.name)
          return Effect.succeed({ kind: "channel" as const, actor: channel })
        return Effect.fail(new ActorNotFound())
      }
    })
  )
)

const lists = Layer.effect(
  PageLists,
  Effect.map(World, (world) => {
    const listed = <A>(data: ReadonlyArray<A>) => Effect.succeed({ total: data.length, data })
    const channel = makeChannel(world.origin)
    const allPlaylists = () =>
      [...world.playlists].map(([uuid, videos]) => makePlaylist(world.origin, uuid, videos.length))
    return PageLists.of({
      channelsOf: () => listed([channel]),
      playlistsOf: () => Effect.suspend(() => listed(allPlaylists())),
      channels: (text) => listed(channel.displayName.includes(text) ? [channel] : []),
      playlists: (text) => Effect.suspend(() => listed(allPlaylists().filter((it) => it.displayName.includes(text))))
    })
  })
)

/** Everything pages need, over one `World`. */
export const WorldLayer = PagesOnly.pipe(
  Layer.provideMerge(Layer.mergeAll(instance, signup, videos, playlists, comments, origins, actors, lists)),
  Layer.provideMerge(World.layer)
)
