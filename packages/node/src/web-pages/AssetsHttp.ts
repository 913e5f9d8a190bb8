import { FileNotFound } from "@kinora/domain/errors/VideoErrors"
import { Effect } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { answer } from "../platform/http/Answer.ts"
import { type Asset, ClientAssets } from "./ClientAssets.ts"

const accepts = (header: string | undefined, encoding: string): boolean =>
  header !== undefined &&
  header.split(",").some((part) => {
    const [name, ...parameters] = part.split(";").map((it) => it.trim())
    return name === encoding && !parameters.some((it) => /^q=0(\.0*)?$/.test(it))
  })

const respond = (asset: Asset, request: HttpServerRequest.HttpServerRequest, cacheControl: string) => {
  const accepted = request.headers["accept-encoding"]
  const encoding =
    asset.br !== undefined && accepts(accepted, "br")
      ? "br"
      : asset.gzip !== undefined && accepts(accepted, "gzip")
        ? "gzip"
        : undefined
  const body = encoding === "br" ? asset.br : encoding === "gzip" ? asset.gzip : asset.raw
  return HttpServerResponse.uint8Array(body!, {
    contentType: asset.type,
    headers: {
      "cache-control": cacheControl,
      "x-content-type-options": "nosniff",
      ...(asset.br === undefined ? {} : { vary: "Accept-Encoding" }),
      ...(encoding === undefined ? {} : { "content-encoding": encoding })
    }
  })
}

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
          asset === undefined ? Effect.fail(new FileNotFound()) : Effect.succeed(respond(asset, request, cacheControl))
        )
      })

    yield* router.add("GET", "/service-worker.js", (request: HttpServerRequest.HttpServerRequest) =>
      Effect.sync(() => respond(client.serviceWorker, request, "no-cache"))
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
