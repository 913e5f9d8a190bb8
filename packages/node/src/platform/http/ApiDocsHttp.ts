import { type Json, toJson } from "@kinora/domain/wire/Json"
import { Effect } from "effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { jsonText } from "./Answer.ts"
import { referencePage, referencePolicy } from "./ReferencePage.ts"

/**
 * `GET /api/v1/openapi.json` and `GET /docs`. The document is made when it is first asked for and only its text is
 * kept; the page is made anew each time, so that at rest it costs nothing.
 */
export const layerApiDocs = (options: { readonly document: () => unknown }) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      let text: Json<unknown> | undefined
      const document = Effect.sync(() => jsonText((text ??= toJson(options.document()))))
      const page = Effect.sync(() =>
        HttpServerResponse.text(referencePage(), {
          contentType: "text/html; charset=utf-8",
          headers: { "content-security-policy": referencePolicy(), "cache-control": "no-cache" }
        })
      )
      yield* router.add("GET", "/api/v1/openapi.json", document)
      yield* router.add("GET", "/docs", page)
    })
  )
