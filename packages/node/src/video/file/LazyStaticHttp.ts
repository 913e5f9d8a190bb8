import type { VideoFileKind } from "@kinora/storage/video/access/VideoFacts"
import { PlaylistRows } from "@kinora/storage/social/playlist/PlaylistRows"
import { type Bucket, isValidKey, type ObjectKey } from "@kinora/storage/platform/objects/ObjectKey"
import type { CopiedBucket } from "@kinora/storage/federation/remote/RemoteCopyRows"
import { Effect, Option } from "effect"
import { HttpRouter, type HttpServerRequest } from "effect/http"
import { answer } from "../../platform/http/Answer.ts"
import { cachePolicies } from "../../platform/http/ByteServing.ts"
import { RemoteCopies } from "./RemoteCopies.ts"
import { FileFacts } from "./FileFacts.ts"
import { harmless } from "../../platform/http/FileTypes.ts"
import { ServedBucket } from "./ServedBucket.ts"
import { VideoFileGate } from "./VideoFileGate.ts"

interface VideoFolder {
  readonly path: string
  readonly kind: VideoFileKind
  readonly bucket: Bucket
}

/** Files that belong to a video. */
const videoFolders: ReadonlyArray<VideoFolder> = [
  { path: "thumbnails", kind: "thumbnail", bucket: "thumbnails" },
  { path: "previews", kind: "thumbnail", bucket: "thumbnails" },
  { path: "storyboards", kind: "storyboard", bucket: "storyboards" },
  { path: "video-captions", kind: "caption", bucket: "captions" },
  { path: "torrents", kind: "torrent", bucket: "torrents" }
]

/** Images that anybody may see. */
const openFolders: ReadonlyArray<{ readonly path: `/${string}`; readonly bucket: Bucket }> = [
  { path: "/lazy-static/avatars/:filename", bucket: "avatars" },
  { path: "/lazy-static/banners/:filename", bucket: "avatars" },
  { path: "/static/uploads/images/:filename", bucket: "uploads" }
]

const isCopied = (bucket: Bucket): bucket is CopiedBucket =>
  bucket === "thumbnails" ||
  bucket === "avatars" ||
  bucket === "storyboards" ||
  bucket === "captions" ||
  bucket === "torrents"

/**
 * Images, captions and torrents. Files of a restricted video open like the video's media files: with a login, a video
 * file token or the video's password. Thumbnails of playlists open by their random names, which only users who may see
 * the playlist learn.
 */
export const LazyStaticRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const facts = yield* FileFacts
    const gate = yield* VideoFileGate
    const playlists = yield* PlaylistRows
    const bucket = yield* ServedBucket
    const copies = yield* RemoteCopies

    /** Remote files that are not here yet are copied first. */
    const serve = (
      request: HttpServerRequest.HttpServerRequest,
      key: ObjectKey,
      policy: string,
      headers?: Record<string, string>
    ) =>
      bucket
        .serve(request, key, policy, headers)
        .pipe(
          Effect.catchTag("FileNotFound", (missing) =>
            !isCopied(key.bucket) || !isValidKey(key)
              ? Effect.fail(missing)
              : Effect.flatMap(copies.ensure(key.bucket, key.name), (there) =>
                  there ? bucket.serve(request, key, policy, headers) : Effect.fail(missing)
                )
          )
        )

    const ofVideo = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, folder: VideoFolder) {
      const { filename = "" } = yield* HttpRouter.params
      const video = yield* facts.byFile(folder.kind, filename)
      const key = { bucket: folder.bucket, name: filename }
      const mayBePlaylist = Option.isNone(video) && folder.path === "thumbnails" && isValidKey(key)
      if (mayBePlaylist && (yield* playlists.hasThumbnail(filename))) {
        return yield* serve(request, key, cachePolicies.immutable, harmless)
      }
      const policy = (yield* gate.mixed(request, video)) ? cachePolicies.immutable : cachePolicies.private
      return yield* serve(request, { bucket: folder.bucket, name: filename }, policy)
    })

    const open = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, from: Bucket) {
      const { filename = "" } = yield* HttpRouter.params
      return yield* serve(request, { bucket: from, name: filename }, cachePolicies.immutable, harmless)
    })

    for (const folder of videoFolders) {
      yield* router.add("GET", `/lazy-static/${folder.path}/:filename`, (request) => answer(ofVideo(request, folder)))
    }
    for (const folder of openFolders) {
      yield* router.add("GET", folder.path, (request) => answer(open(request, folder.bucket)))
    }
  })
)
