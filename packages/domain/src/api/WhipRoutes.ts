import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { field } from "../fields/Field.ts"
import { text } from "../fields/Readers.ts"
import { Docs, problems } from "./Documentation.ts"

const path = "/api/v1/videos/live/whip"

const publication = field(
  text({ min: 1, max: 64, message: "Must be a publication", documented: { description: "Which publication" } })
)

const sdp = { type: "string" } as const

/** Publishing of lives by WebRTC (WHIP, RFC 9725): raw routes. The stream key is the bearer token. */
export class WhipRoutes extends HttpApiGroup.make("whipRoutes", { topLevel: true })
  .add(
    HttpApiEndpoint.post("publishByWhip", path).annotate(Docs, {
      tag: "Live Videos",
      summary: "Publish a live by WebRTC: an offer with H.264 and Opus (RFC 9725); the stream key is the bearer token",
      body: { "application/sdp": sdp },
      answers: {
        201: { description: "The answer", content: "application/sdp", schema: sdp, headers: ["Location", "Link"] }
      },
      problems: problems(
        400,
        [401, "unknown_stream_key"],
        403,
        408,
        [409, "live_already_published"],
        413,
        415,
        422,
        429,
        503
      )
    }),
    HttpApiEndpoint.delete("endWhip", `${path}/:publication`, { params: { publication } }).annotate(Docs, {
      tag: "Live Videos",
      summary: "End a publication by WebRTC, with the stream key that it was begun with",
      problems: problems([401, "unknown_stream_key"], 404, 429, 503)
    })
  )
  .annotate(OpenApi.Title, "Live Videos") {}
