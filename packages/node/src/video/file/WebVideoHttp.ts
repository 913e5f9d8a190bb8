import { Effect } from "effect"
import { HttpRouter, type HttpServerRequest } from "effect/http"
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

/** Web video files, also under the URLs of earlier releases. */
export const WebVideoRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const facts = yield* FileFacts
    const gate = yield* VideoFileGate
    const bucket = yield* ServedBucket

    const open = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const { filename = "" } = yield* HttpRouter.params
      yield* gate.open(yield* facts.byFile("web-video", filename))
      return yield* bucket.serve(request, { bucket: "web_videos", name: filename }, cachePolicies.immutable)
    })

    const guarded = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const { filename = "" } = yield* HttpRouter.params
      yield* gate.guarded(request, yield* facts.byFile("web-video", filename, "now"))
      return yield* bucket.serve(request, { bucket: "web_videos_private", name: filename }, cachePolicies.private)
    })

    for (const path of publicPaths) yield* router.add("GET", path, (request) => answer(open(request)))
    for (const path of privatePaths) yield* router.add("GET", path, (request) => answer(guarded(request)))
  })
)
