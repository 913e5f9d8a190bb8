import { FileNotFound } from "@kinora/domain/errors/VideoErrors"
import { Effect } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { answer } from "../platform/http/Answer.ts"
import { type Asset, ClientAssets, type Encoding } from "./ClientAssets.ts"

const accepts = (header: string | undefined, encoding: string): boolean =>
  header !== undefined &&
  header.split(",").some((part) => {
    const [name, ...parameters] = part.split(";").map((it) => it.trim())
    return name === encoding && !parameters.some((it) => /^q=0(\.0*)?$/.test(it))
  })

/** The smallest version that the browser understands. */
const encodingFor = (asset: Asset, accepted: string | undefined): Encoding =>
  !asset.compressed ? "raw" : accepts(accepted, "br") ? "br" : accepts(accepted, "gzip") ? "gzip" : "raw"

const respond = Effect.fnUntraced(function* (
  asset: Asset,
  request: HttpServerRequest.HttpServerRequest,
  cacheControl: string
) {
  const encoding = encodingFor(asset, request.headers["accept-encoding"])
  return HttpServerResponse.uint8Array(yield* Effect.orDie(asset.read(encoding)), {
    contentType: asset.type,
    headers: {
      "cache-control": cacheControl,
      "x-content-type-options": "nosniff",
      ...(asset.compressed ? { vary: "Accept-Encoding" } : {}),
      ...(encoding === "raw" ? {} : { "content-encoding": encoding })
    }
  })
})

const immutable = "public, max-age=31536000, immutable"
const daily = "public, max-age=86400"

/** `/client/assets/{file}` (hashed names, cached forever), `/client/icons/{file}`, `/favicon.ico` and the service worker. */
export const AssetRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const client = yield* ClientAssets

    const serve = (find: (name: string) => Asset | undefined, cacheControl: string) =>
      Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
        const { file } = yield* HttpRouter.params
        const asset = find(file ?? "")
        return yield* answer(
          asset === undefined ? Effect.fail(new FileNotFound()) : respond(asset, request, cacheControl)
        )
      })

    yield* router.add("GET", "/service-worker.js", (request: HttpServerRequest.HttpServerRequest) =>
      respond(client.serviceWorker, request, "no-cache")
    )
    yield* router.add("GET", "/client/assets/:file", serve(client.asset, immutable))
    yield* router.add("GET", "/client/icons/:file", serve(client.icon, daily))
    yield* router.add(
      "GET",
      "/favicon.ico",
      serve(() => client.icon("icon-32.png"), daily)
    )
  })
)
