import { InvalidDeliveryDirectives } from "@kinora/domain/errors/LiveErrors"
import { FileNotFound } from "@kinora/domain/errors/VideoErrors"
import { isValidKey, type ObjectKey } from "@kinora/storage/platform/objects/ObjectKey"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { Effect, Stream } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { answer } from "../../platform/http/Answer.ts"
import { cachePolicies } from "../../platform/http/ByteServing.ts"
import { directivesOf } from "./BlockingPlaylist.ts"
import { FileFacts } from "./FileFacts.ts"
import { fileType, harmless } from "../../platform/http/FileTypes.ts"
import { LiveParts } from "./LiveParts.ts"
import { LivePlaylists } from "./LivePlaylists.ts"
import { playlistWithToken } from "./PlaylistTokens.ts"
import { ServedBucket } from "./ServedBucket.ts"
import { fileTokenOf, VideoFileGate } from "./VideoFileGate.ts"

const privatePaths = [
  "/static/streaming-playlists/hls/private/:videoUUID/:filename",
  "/object-storage-proxy/streaming-playlists/hls/private/:videoUUID/:filename"
] as const

/** Playlists are small: a larger file is not one of ours. */
const largestPlaylist = 4 * 1024 * 1024

const asksForToken = (url: string): boolean => /[?&]reinjectVideoFileToken=(?:true|1)(?:&|$)/.test(url)

/** Playlists may be rewritten under the same name. The other files never change. */
const publicPolicy = (filename: string): string =>
  filename.endsWith("-master.m3u8") || filename.endsWith(".json") ? cachePolicies.revalidate : cachePolicies.immutable

/** A live's playlists change with each segment. */
const livePolicy = "no-cache"

/** HLS playlists and the files they refer to. */
export const HlsRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const facts = yield* FileFacts
    const gate = yield* VideoFileGate
    const bucket = yield* ServedBucket
    const store = yield* ObjectStore
    const lives = yield* LivePlaylists
    const parts = yield* LiveParts

    const liveText = (filename: string, text: string, cacheControl: string) =>
      HttpServerResponse.text(text, { contentType: fileType(filename), headers: { "cache-control": cacheControl } })

    /** A playlist of a live, or another text; it may have to be waited for. */
    const readLive = Effect.fnUntraced(function* (uuid: string, filename: string, url: string) {
      const directives = directivesOf(url)
      if (directives === undefined) return yield* new InvalidDeliveryDirectives()
      return yield* lives.read(uuid, filename, directives)
    })

    /** A part of a segment of a live; undefined where it is none. */
    const part = Effect.fnUntraced(function* (uuid: string, filename: string, cacheControl: string) {
      if (!filename.endsWith(".m4s")) return undefined
      const place = yield* parts.read(uuid, filename)
      if (place === undefined) return undefined
      const options = { contentType: fileType(filename), headers: { "cache-control": cacheControl } }
      if ("bytes" in place) return HttpServerResponse.uint8Array(place.bytes, options)
      const { key, length, start } = place
      const bytes = store.openRead(key, { start, end: start + length - 1 })
      return HttpServerResponse.stream(bytes, { ...options, contentLength: length })
    })

    const readPlaylist = Effect.fnUntraced(
      function* (key: ObjectKey) {
        if (!isValidKey(key) || (yield* store.stat(key)).size > largestPlaylist) return yield* new FileNotFound()
        return yield* store.openRead(key).pipe(Stream.decodeText(), Stream.mkString)
      },
      Effect.catchTag("ObjectNotFound", () => Effect.fail(new FileNotFound()))
    )

    const open = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const { filename = "", videoUUID = "" } = yield* HttpRouter.params
      const video = yield* gate.open(yield* facts.byUuid(videoUUID))
      const text = yield* readLive(video.uuid, filename, request.url)
      if (text !== undefined) return liveText(filename, text, livePolicy)
      const found = yield* part(video.uuid, filename, cachePolicies.immutable)
      if (found !== undefined) return found
      const key: ObjectKey = { bucket: "streaming_playlists", name: `${video.uuid}/${filename}` }
      return yield* bucket.serve(request, key, publicPolicy(filename))
    })

    const guarded = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const { filename = "", videoUUID = "" } = yield* HttpRouter.params
      const video = yield* gate.guarded(request, yield* facts.byUuid(videoUUID, "now"))
      const key: ObjectKey = { bucket: "streaming_playlists_private", name: `${video.uuid}/${filename}` }
      const token = fileTokenOf(request)
      const live = yield* readLive(video.uuid, filename, request.url)
      if (live !== undefined) {
        const isReinjected = token !== undefined && filename.endsWith(".m3u8") && asksForToken(request.url)
        return liveText(filename, isReinjected ? playlistWithToken(live, token) : live, cachePolicies.private)
      }
      const found = yield* part(video.uuid, filename, cachePolicies.private)
      if (found !== undefined) return found
      if (token === undefined || !filename.endsWith(".m3u8") || !asksForToken(request.url)) {
        return yield* bucket.serve(request, key, cachePolicies.private)
      }
      return HttpServerResponse.text(playlistWithToken(yield* readPlaylist(key), token), {
        contentType: fileType(filename),
        headers: { "cache-control": cachePolicies.private }
      })
    })

    /** Mirrored files: their instance may rewrite its playlists. */
    const copy = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const { filename = "", videoUUID = "" } = yield* HttpRouter.params
      const video = yield* gate.open(yield* facts.byUuid(videoUUID))
      if (!video.remote) return yield* new FileNotFound()
      const key: ObjectKey = { bucket: "redundancy", name: `${video.uuid}/${filename}` }
      return yield* bucket.serve(request, key, cachePolicies.revalidate, harmless)
    })

    yield* router.add("GET", "/static/redundancy/hls/:videoUUID/:filename", (request) => answer(copy(request)))
    yield* router.add("GET", "/static/streaming-playlists/hls/:videoUUID/:filename", (request) => answer(open(request)))
    for (const path of privatePaths) yield* router.add("GET", path, (request) => answer(guarded(request)))
  })
)
