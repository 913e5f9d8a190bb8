import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { VideoIdOrUuid } from "../ids/VideoIdOrUuid.ts"
import {
  AddVideoPassword,
  passwordsQuery,
  UpdateVideoPasswords,
  VideoPasswordId
} from "../requests/PasswordRequests.ts"
import { VideoPasswordList } from "../wire/VideoAnswers.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const path = "/api/v1/videos/:id/passwords"
const params = { id: VideoIdOrUuid }
const done = { params, success: HttpApiSchema.NoContent }
const refusals = problems(400, 403, 404)

/** Passwords of a password-protected video. */
export class VideoPasswordsApi extends HttpApiGroup.make("videoPasswords", { topLevel: true })
  .add(
    HttpApiEndpoint.get("listVideoPasswords", path, { params, query: passwordsQuery, success: VideoPasswordList })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "List the passwords of a video", problems: refusals }),
    HttpApiEndpoint.post("addVideoPassword", path, { ...done, payload: AddVideoPassword })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Add a password to a video",
        rightOverOthers: "UPDATE_ANY_VIDEO",
        problems: refusals
      }),
    HttpApiEndpoint.put("updateVideoPasswordList", path, { ...done, payload: UpdateVideoPasswords })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Replace the passwords of a video",
        rightOverOthers: "UPDATE_ANY_VIDEO",
        problems: refusals
      }),
    HttpApiEndpoint.delete("removeVideoPassword", `${path}/:passwordId`, {
      params: { ...params, passwordId: VideoPasswordId },
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Remove a password of a video; the last one stays",
        rightOverOthers: "UPDATE_ANY_VIDEO",
        problems: refusals
      })
  )
  .annotate(OpenApi.Title, "Video Passwords") {}
