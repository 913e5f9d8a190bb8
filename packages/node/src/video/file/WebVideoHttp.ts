import { FileNotFound } from "@kinora/domain/errors/VideoErrors"
import { isValidKey, type ObjectKey } from "@kinora/storage/platform/objects/ObjectKey"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { VideoFactRows } from "@kinora/storage/video/access/VideoFacts"
import { Effect, Option } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { answer } from "../../platform/http/Answer.ts"
import { cachePolicies } from "../../platform/http/ByteServing.ts"
import { FileFacts } from "./FileFacts.ts"
import { ServedBucket } from "./ServedBucket.ts"
import { VideoFileGate } from "./VideoFileGate.ts"

const publicPaths = ["/static/web-videos/:filename", "/static/webseed/:filename"] as const
const privatePaths = [
  "/static/web-videos/private/:filename",
  "/static/webseed/private/:filename",
  "/object-storage-proxy/web-videos/private/:filename"
] as const

/** Web video files, also under the URLs of earlier releases and of files that were replaced a short time ago. */
export const WebVideoRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const facts = yield* FileFacts
    const rows = yield* VideoFactRows
    const gate = yield* VideoFileGate
    const bucket = yield* ServedBucket
    const store = yield* ObjectStore

    /** The file in the place of a replaced one that is still kept. It is looked for only where no file has the name. */
    const successor = Effect.fnUntraced(function* (key: ObjectKey) {
      if (!isValidKey(key)) return yield* new FileNotFound()
      const found = yield* rows.replacement(key.name)
      if (Option.isNone(found)) return yield* new FileNotFound()
      yield* Effect.mapError(store.stat(key), () => new FileNotFound())
      return found.value
    })

    const redirect = ({ url }: HttpServerRequest.HttpServerRequest, path: string) => {
      const query = url.indexOf("?")
      const headers = { "cache-control": "no-store" }
      return HttpServerResponse.redirect(query < 0 ? path : path + url.slice(query), { status: 302, headers })
    }

    const open = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const { filename = "" } = yield* HttpRouter.params
      const video = yield* facts.byFile("web-video", filename)
      if (Option.isNone(video)) {
        const next = yield* successor({ bucket: "web_videos", name: filename })
        yield* gate.open(yield* facts.byUuid(next.uuid))
        return redirect(request, `/static/web-videos/${next.filename}`)
      }
      yield* gate.open(video)
      return yield* bucket.serve(request, { bucket: "web_videos", name: filename }, cachePolicies.immutable)
    })

    const guarded = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const { filename = "" } = yield* HttpRouter.params
      const video = yield* facts.byFile("web-video", filename, "now")
      if (Option.isNone(video)) {
        // A wrong token is refused whether or not there is such a file.
        const next = yield* Effect.catchTag(
          successor({ bucket: "web_videos_private", name: filename }),
          "FileNotFound",
          () => gone(request)
        )
        yield* gate.guarded(request, yield* facts.byUuid(next.uuid, "now"))
        return redirect(request, `/static/web-videos/private/${next.filename}`)
      }
      yield* gate.guarded(request, video)
      return yield* bucket.serve(request, { bucket: "web_videos_private", name: filename }, cachePolicies.private)
    })

    const gone = (request: HttpServerRequest.HttpServerRequest) =>
      Effect.andThen(gate.guarded(request, Option.none()), Effect.fail(new FileNotFound()))

    for (const path of publicPaths) yield* router.add("GET", path, (request) => answer(open(request)))
    for (const path of privatePaths) yield* router.add("GET", path, (request) => answer(guarded(request)))
  })
)
