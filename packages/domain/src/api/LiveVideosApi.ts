import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { VideoIdOrUuid } from "../ids/VideoIdOrUuid.ts"
import { liveFields, LiveUpdate, MarkLive, sessionsQuery } from "../requests/LiveRequests.ts"
import { videoFields } from "../requests/VideoFields.ts"
import { LiveSession, LiveSessionList, LiveVideo } from "../wire/Live.ts"
import { LiveHealth } from "../wire/LiveHealth.ts"
import { LiveMark, LiveMarkList } from "../wire/LiveMark.ts"
import { VideoUploadResponse } from "../wire/VideoAnswers.ts"
import { Authenticated, MaybeAuthenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const path = "/api/v1/videos/live/:id"
const params = { id: VideoIdOrUuid }
const binary = { type: "string", format: "binary" } as const

const { filename: _filename, waitTranscoding: _wait, ...described } = videoFields
const fields = Object.fromEntries(
  Object.entries({ ...described, ...liveFields }).map(([name, { documented }]) => [name, documented])
)
const required = ["channelId", "name"]

/** Live videos. The body that creates one is read by hand: it brings pictures. */
export class LiveVideosApi extends HttpApiGroup.make("liveVideos", { topLevel: true })
  .add(
    HttpApiEndpoint.post("addLive", "/api/v1/videos/live", { success: VideoUploadResponse })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Create a live",
        body: {
          "multipart/form-data": {
            type: "object",
            required,
            properties: { ...fields, thumbnailfile: binary, previewfile: { ...binary, deprecated: true } }
          },
          "application/json": { type: "object", required, properties: fields }
        },
        problems: problems(
          400,
          [
            403,
            "live_not_enabled",
            "live_not_allowing_replay",
            "max_instance_lives_limit_reached",
            "max_user_lives_limit_reached"
          ],
          408,
          415,
          507
        )
      }),
    HttpApiEndpoint.get("getLiveId", path, { params, success: LiveVideo })
      .middleware(MaybeAuthenticated)
      .annotate(Docs, {
        summary: "Get the settings of a live; its addresses and key for who may publish it",
        rightOverOthers: "GET_ANY_LIVE",
        problems: problems(400, 401, 403, 404)
      }),
    HttpApiEndpoint.put("updateLiveId", path, { params, payload: LiveUpdate, success: HttpApiSchema.NoContent })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Change the settings of a live that is not being published",
        rightOverOthers: "UPDATE_ANY_VIDEO",
        problems: problems(400, [403, "live_not_allowing_replay"], 404, 409)
      }),
    HttpApiEndpoint.post("renewStreamKey", `${path}/stream-key`, { params, success: LiveVideo })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Replace the key of a live; the old one opens nothing any more",
        rightOverOthers: "UPDATE_ANY_VIDEO",
        problems: problems(400, 403, 404)
      }),
    HttpApiEndpoint.post("endLive", `${path}/end`, { params, success: HttpApiSchema.NoContent })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "End the session of a live that is being published",
        rightOverOthers: "UPDATE_ANY_VIDEO",
        problems: problems(400, 403, 404, 409)
      }),
    HttpApiEndpoint.get("getLiveHealth", `${path}/health`, { params, success: LiveHealth })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Get how the stream of a live arrives",
        rightOverOthers: "UPDATE_ANY_VIDEO",
        problems: problems(400, 403, 404)
      }),
    HttpApiEndpoint.post("markLive", `${path}/marks`, { params, payload: MarkLive, success: LiveMark })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Mark a moment of a live that is being published: it becomes a chapter of the replay",
        rightOverOthers: "UPDATE_ANY_VIDEO",
        problems: problems(400, 403, 404, 409)
      }),
    HttpApiEndpoint.get("listLiveMarks", `${path}/marks`, { params, success: LiveMarkList })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "List the moments that were marked in the session that goes on",
        rightOverOthers: "UPDATE_ANY_VIDEO",
        problems: problems(400, 403, 404)
      }),
    HttpApiEndpoint.get("getVideosLiveSessions", `${path}/sessions`, {
      params,
      query: sessionsQuery,
      success: LiveSessionList
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "List the sessions of a live",
        rightOverOthers: "UPDATE_ANY_VIDEO",
        problems: problems(400, 403, 404)
      }),
    HttpApiEndpoint.get("getVideosLiveSession", "/api/v1/videos/:id/live-session", { params, success: LiveSession })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Get the session that a video is the replay of",
        rightOverOthers: "UPDATE_ANY_VIDEO",
        problems: problems(400, 403, 404)
      })
  )
  .annotate(OpenApi.Title, "Live Videos") {}
