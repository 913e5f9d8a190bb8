import { NodeHttpServer, NodeServices } from "@effect/platform-node"
import { IncorrectVideoPassword, VideoNotFound, VideoRequiresPassword } from "@kinora/domain/errors/VideoErrors"
import { parseVideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import type { VideoDetails } from "@kinora/domain/wire/Video"
import type { VideoChapters } from "@kinora/domain/wire/VideoAnswers"
import { Context, Effect, FileSystem, Layer, Path } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { createServer } from "node:http"
import { answer } from "../../../src/platform/http/Answer.ts"
import { NotFoundPageRoute } from "../../../src/web-pages/ListPagesHttp.ts"
import { Pages } from "../../../src/web-pages/Pages.ts"
import { BuiltClient } from "./BuiltClient.ts"
import { makeClip } from "./Clip.ts"
import { makeVideo, type VideoSketch } from "./WireVideos.ts"
import { World, WorldLayer } from "./World.ts"

/** The clip's files, a switch that makes them unreachable, and what players told of who watches. */
export class Media extends Context.Service<
  Media,
  {
    readonly folder: string
    outage: boolean
    chapters: VideoChapters["chapters"]
    captions: ReadonlyArray<{ readonly language: { readonly id: string; readonly label: string } }>
    readonly requests: Array<string>
    readonly reports: Array<string>
  }
>()("test/Media") {
  static readonly layer = Layer.effect(
    Media,
    Effect.map(makeClip, (folder) =>
      Media.of({ folder, outage: false, chapters: [], captions: [], requests: [], reports: [] })
    )
  ).pipe(Layer.provide(NodeServices.layer))
}

const types: Record<string, string> = {
  ".mp4": "video/mp4",
  ".m3u8": "application/vnd.apple.mpegurl",
  ".jpg": "image/jpeg",
  ".ts": "video/mp2t",
  ".vtt": "text/vtt"
}

const MediaRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const media = yield* Media
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const serve = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const { file = "" } = yield* HttpRouter.params
      const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers["range"] ?? "")
      media.requests.push(file)
      if (media.outage) return HttpServerResponse.empty({ status: 503 })
      const content = yield* Effect.orDie(fs.readFile(path.join(media.folder, path.basename(file))))
      const contentType = types[path.extname(file)] ?? "application/octet-stream"
      const headers = { "accept-ranges": "bytes" }
      if (range === null) return HttpServerResponse.uint8Array(content, { contentType, headers })
      const start = Number(range[1])
      const end = range[2] === "" ? content.length - 1 : Math.min(content.length - 1, Number(range[2]))
      return HttpServerResponse.uint8Array(content.subarray(start, end + 1), {
        status: 206,
        contentType,
        headers: { ...headers, "content-range": `bytes ${start}-${end}/${content.length}` }
      })
    })
    yield* router.add("GET", "/static/:file", serve)
  })
)

const embedApiFile = new URL("../../../../../node_modules/@peertube/embed-api/build/player.min.js", import.meta.url)
  .pathname

const ApiRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const world = yield* World
    const media = yield* Media
    const find = Effect.map(HttpRouter.params, ({ id = "" }) => {
      const parsed = parseVideoIdOrUuid(id)
      return [...world.videos.values()].find((it) => parsed?._tag === "Uuid" && it.uuid === parsed.uuid)
    })
    const found = Effect.flatMap(find, (video) =>
      video === undefined || video.privacy.id === 3 ? Effect.fail(new VideoNotFound()) : Effect.succeed(video)
    )
    const opened = Effect.gen(function* () {
      const video = yield* found
      if (video.privacy.id !== 5) return video
      const password = (yield* HttpServerRequest.HttpServerRequest).headers["x-peertube-video-password"]
      if (password === undefined) return yield* new VideoRequiresPassword()
      return password === "sesame" ? video : yield* new IncorrectVideoPassword()
    })
    yield* router.add("GET", "/api/v1/videos/:id", answer(opened))
    yield* router.add("POST", "/api/v1/videos/:id/token", answer(Effect.succeed({ files: { token: "t" } })))
    const captions = Effect.sync(() => ({
      total: media.captions.length,
      data: media.captions.map((it) => ({
        ...it,
        automaticallyGenerated: false,
        captionPath: `/static/${it.language.id}.vtt`
      }))
    }))
    yield* router.add("GET", "/api/v1/videos/:id/captions", answer(captions))
    yield* router.add("GET", "/api/v1/videos/:id/chapters", answer(Effect.sync(() => ({ chapters: media.chapters }))))
    const watched = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { id } = yield* HttpRouter.params
      media.reports.push(`${id} ${yield* Effect.orDie(request.text)}`)
    })
    yield* router.add("POST", "/api/v1/videos/:id/views", answer(watched))
    const storyboard = {
      storyboardPath: "/static/storyboard.jpg",
      fileUrl: `${world.origin}/static/storyboard.jpg`,
      totalHeight: 216,
      totalWidth: 960,
      spriteHeight: 108,
      spriteWidth: 192,
      spriteDuration: 1
    }
    yield* router.add("GET", "/api/v1/videos/:id/storyboards", answer(Effect.succeed({ storyboards: [storyboard] })))
    yield* router.add(
      "GET",
      "/blog/:uuid",
      Effect.map(HttpRouter.params, ({ uuid }) =>
        HttpServerResponse.text(
          `<!doctype html><title>A blog</title><link rel="icon" href="data:,"><iframe src="${world.origin}/videos/embed/${uuid}?autoplay=1&muted=1&title=0" width="560" height="315" allow="autoplay"></iframe>`,
          { contentType: "text/html" }
        )
      )
    )
    // The npm package that pages of others embed with, as it is.
    const embedApi = yield* FileSystem.FileSystem.pipe(Effect.flatMap((fs) => fs.readFileString(embedApiFile)))
    const script = HttpServerResponse.text(embedApi, { contentType: "text/javascript" })
    yield* router.add("GET", "/embed-api.js", Effect.succeed(script))
    const driver = Effect.gen(function* () {
      const { embed = "" } = yield* HttpServerRequest.ParsedSearchParams
      const address = JSON.stringify(`${world.origin}${String(embed)}`)
      return HttpServerResponse.text(
        `<!doctype html><title>A site</title><link rel="icon" href="data:,"><body><script src="/embed-api.js"></script><script>
        const frame = document.createElement("iframe")
        Object.assign(frame, { src: ${address}, width: 560, height: 315, allow: "autoplay" })
        document.body.append(frame)
        const player = new PeerTubePlayer(frame)
        const events = []
        for (const name of ["play", "pause", "playbackStatusUpdate", "playbackStatusChange", "resolutionUpdate", "volumeChange"])
          player.addEventListener(name, (event) => events.push({ name, event }))
        </script>`,
        { contentType: "text/html" }
      )
    })
    yield* router.add("GET", "/site", driver)
    yield* router.add("GET", "/manifest.webmanifest", answer(Effect.succeed({ name: "Kinora" })))
  })
)

const file = (origin: string, height: number, name: string) => ({
  id: height,
  resolution: { id: height, label: `${height}p` },
  magnetUri: "magnet:",
  size: 1_000_000,
  fps: 24,
  torrentUrl: `${origin}/t`,
  torrentDownloadUrl: `${origin}/t`,
  fileUrl: `${origin}/static/${name}`,
  fileDownloadUrl: null,
  hasAudio: true,
  hasVideo: true,
  storage: 0 as const
})

/** A video whose files are the clip. */
export const clipVideo = (origin: string, id: number, sketch: VideoSketch = {}): VideoDetails =>
  makeVideo(origin, id, {
    previewPath: "/static/preview.jpg",
    thumbnailPath: "/static/preview.jpg",
    thumbnails: [{ fileUrl: `${origin}/static/preview.jpg`, width: 850, height: 478, aspectRatio: "16:9" }],
    streamingPlaylists: [
      {
        id: 1,
        type: 1,
        playlistUrl: `${origin}/static/master.m3u8`,
        segmentsSha256Url: `${origin}/static/sha256.json`,
        redundancies: [],
        files: [file(origin, 480, "480.mp4"), file(origin, 240, "240.mp4")]
      }
    ],
    ...sketch
  })

export const webFiles = (origin: string) => [file(origin, 360, "web.mp4")]

const HttpServerLayer = NodeHttpServer.layer(() => createServer(), { port: 0, host: "127.0.0.1" })

/** Pages alone on a port of their own: for tests that read markup. */
export const PagesServer = HttpRouter.serve(Layer.mergeAll(Pages, NotFoundPageRoute), {
  disableLogger: true,
  disableListenLog: true
}).pipe(Layer.provideMerge(WorldLayer), Layer.provide(BuiltClient), Layer.provideMerge(HttpServerLayer))

/** Pages with the API answers and files that a player asks for: for tests in a browser. */
export const PlayerServer = HttpRouter.serve(Layer.mergeAll(Pages, NotFoundPageRoute, MediaRoutes, ApiRoutes), {
  disableLogger: true,
  disableListenLog: true
}).pipe(
  Layer.provideMerge(Layer.merge(WorldLayer, Media.layer)),
  Layer.provide(BuiltClient),
  Layer.provideMerge(HttpServerLayer)
)
