import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ServerHost } from "../requests/FollowRequests.ts"
import { jsonOrForm } from "../requests/Payload.ts"
import {
  NewRedundancy,
  RedundancyAllowed,
  redundancyListQuery,
  redundancyParams
} from "../requests/RedundancyRequests.ts"
import { VideoRedundancyList } from "../wire/VideoRedundancy.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const path = "/api/v1/server/redundancy"
const right = "MANAGE_VIDEOS_REDUNDANCIES"
const tag = "Video Mirroring"

/** Copies of videos of other instances, and others' copies of ours. */
export class RedundancyApi extends HttpApiGroup.make("redundancy", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getMirroredVideos", `${path}/videos`, {
      query: redundancyListQuery,
      success: VideoRedundancyList
    })
      .middleware(Authenticated)
      .annotate(Docs, { tag, right, summary: "List videos that are copied", problems: problems(400, 403) }),
    HttpApiEndpoint.post("putMirroredVideo", `${path}/videos`, {
      payload: jsonOrForm(NewRedundancy),
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        tag,
        right,
        summary: "Copy a video of another instance",
        problems: problems(400, 403, 404, 409)
      }),
    HttpApiEndpoint.delete("delMirroredVideo", `${path}/videos/:redundancyId`, {
      params: redundancyParams,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, { tag, right, summary: "Remove a copy", problems: problems(400, 403, 404) }),
    HttpApiEndpoint.put("putServerRedundancyByHost", `${path}/:host`, {
      params: { host: ServerHost },
      payload: jsonOrForm(RedundancyAllowed),
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Say whether videos of another instance are copied",
        right: "MANAGE_SERVER_FOLLOW",
        problems: problems(400, 403, 404)
      })
  )
  .annotate(OpenApi.Title, "Instance Redundancy") {}
