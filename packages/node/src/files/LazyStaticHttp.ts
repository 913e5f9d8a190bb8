import type { VideoFileKind } from "@kinora/storage/videos/access/VideoFacts"
import { PlaylistRows } from "@kinora/storage/playlists/PlaylistRows"
import { type Bucket, isValidKey } from "@kinora/storage/objects/ObjectKey"
import { Effect, Option } from "effect"
import { HttpRouter, type HttpServerRequest } from "effect/http"
import { answer } from "../http/Answer.ts"
import { cachePolicies } from "../http/ByteServing.ts"
import { isForEverybody } from "../videos/VideoVisibility.ts"
import { FileFacts } from "./FileFacts.ts"
import { ServedBucket } from "./ServedBucket.ts"
import { VideoFileGate } from "./VideoFileGate.ts"

interface VideoFolder {
  readonly path: string
  readonly kind: VideoFileKind
  readonly bucket: Bucket
}

/** Files that tell of a video. */
const videoFolders: ReadonlyArray<VideoFolder> = [
  { path: "thumbnails", kind: "thumbnail", bucket: "thumbnails" },
  { path: "previews", kind: "thumbnail", bucket: "thumbnails" },
  { path: "storyboards", kind: "storyboard", bucket: "storyboards" },
  { path: "video-captions", kind: "caption", bucket: "captions" },
  { path: "torrents", kind: "torrent", bucket: "torrents" }
]

/** Pictures that anybody may see. */
const openFolders: ReadonlyArray<{ readonly path: `/${string}`; readonly bucket: Bucket }> = [
  { path: "/lazy-static/avatars/:filename", bucket: "avatars" },
  { path: "/lazy-static/banners/:filename", bucket: "avatars" },
  { path: "/static/uploads/images/:filename", bucket: "uploads" }
]

/** Whatever a browser makes of such a file, it runs nothing. */
const harmless = { "content-security-policy": "default-src 'none'; sandbox" }

/**
 * Pictures, captions and torrents. What belongs to a video that is not for everybody opens like the video's files do:
 * with a login, a video file token or the video's password. Pictures chosen for playlists open by their names, which only
 * who may see the playlist is told.
 */
export const LazyStaticRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const facts = yield* FileFacts
    const gate = yield* VideoFileGate
    const playlists = yield* PlaylistRows
    const bucket = yield* ServedBucket

    const ofVideo = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, folder: VideoFolder) {
      const { filename = "" } = yield* HttpRouter.params
      const video = yield* facts.byFile(folder.kind, filename)
      const key = { bucket: folder.bucket, name: filename }
      const mayBePlaylist = Option.isNone(video) && folder.path === "thumbnails" && isValidKey(key)
      if (mayBePlaylist && (yield* playlists.hasThumbnail(filename))) {
        return yield* bucket.serve(request, key, cachePolicies.immutable, harmless)
      }
      const shared = Option.isSome(video) && isForEverybody(video.value)
      if (!shared) yield* gate.guarded(request, video)
      const policy = shared ? cachePolicies.immutable : cachePolicies.private
      return yield* bucket.serve(request, { bucket: folder.bucket, name: filename }, policy)
    })

    const open = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, from: Bucket) {
      const { filename = "" } = yield* HttpRouter.params
      return yield* bucket.serve(request, { bucket: from, name: filename }, cachePolicies.immutable, harmless)
    })

    for (const folder of videoFolders) {
      yield* router.add("GET", `/lazy-static/${folder.path}/:filename`, (request) => answer(ofVideo(request, folder)))
    }
    for (const folder of openFolders) {
      yield* router.add("GET", folder.path, (request) => answer(open(request, folder.bucket)))
    }
  })
)
