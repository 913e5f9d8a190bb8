import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AccountHandle } from "../ids/ActorHandle.ts"
import { field, optional } from "../fields/Field.ts"
import { integer, oneOf, text } from "../fields/Readers.ts"
import { OEmbed } from "../wire/Discovery.ts"
import { Docs, problems } from "./Documentation.ts"

const pixels = optional(integer({ min: 1, max: 100_000, message: "Must be a number of pixels", documented: {} }))

/** oEmbed and this reference: raw routes. */
export class ServiceRoutes extends HttpApiGroup.make("services", { topLevel: true })
  .add(
    HttpApiEndpoint.get("oembed", "/services/oembed", {
      query: {
        url: field(
          text({
            min: 1,
            max: 2000,
            message: "Must be the address of a video or a playlist of this instance",
            documented: { format: "uri" }
          })
        ),
        maxwidth: pixels,
        maxheight: pixels,
        format: optional(oneOf(["json", "xml"], "Must be json or xml"))
      },
      success: OEmbed
    }).annotate(Docs, {
      summary: "Get how to embed a video or a playlist (oEmbed 1.0)",
      problems: problems(400, 403, 404, 501)
    }),
    HttpApiEndpoint.get("redirectAccount", "/services/redirect/accounts/:accountName", {
      params: { accountName: AccountHandle }
    }).annotate(Docs, {
      summary: "Redirect to the account's own instance",
      answers: { 302: { description: "Look there", headers: ["Location"] } },
      problems: problems(404)
    }),
    HttpApiEndpoint.get("getOpenApiDocument", "/api/v1/openapi.json").annotate(Docs, {
      tag: "Misc",
      summary: "This document",
      answers: { 200: { description: "OpenAPI 3.1", content: "application/json", schema: { type: "object" } } }
    }),
    HttpApiEndpoint.get("docsPage", "/docs").annotate(Docs, {
      tag: "Misc",
      summary: "This document as a page",
      answers: { 200: { description: "The page", content: "text/html", schema: { type: "string" } } }
    })
  )
  .annotate(OpenApi.Title, "Services") {}
