import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { query } from "../requests/Query.ts"
import { integer } from "../fields/Readers.ts"
import { VideosOverview } from "../wire/VideosOverview.ts"
import { MaybeAuthenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

/** Pages an overview has. */
export const overviewPages = 10

/** What an instance has, a little of everything. */
export class OverviewsApi extends HttpApiGroup.make("overviews", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getVideosOverview", "/api/v1/overviews/videos", {
      query: query({
        page: integer({ min: 1, max: overviewPages, message: `Must be a whole number from 1 to ${overviewPages}` })
      }),
      success: VideosOverview
    })
      .middleware(MaybeAuthenticated)
      .annotate(Docs, {
        summary: "Get an overview: some categories, channels and tags with their videos",
        problems: problems(400)
      })
  )
  .annotate(OpenApi.Title, "Overviews") {}
