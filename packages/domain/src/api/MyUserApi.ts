import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { VideoIdOrUuid } from "../ids/VideoIdOrUuid.ts"
import { myImportsQuery, myVideosQuery } from "../requests/MyVideosQuery.ts"
import { NewFeatureRead, NotificationSettings, UpdateMe } from "../requests/UpdateMe.ts"
import { MyUser } from "../wire/MyUser.ts"
import { Avatars, MyVideoRating, QuotaUsed, VideoImportsList } from "../wire/MyUserAnswers.ts"
import { VideoList } from "../wire/Video.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const me = "/api/v1/users/me"

/** The user who asks. */
export class MyUserApi extends HttpApiGroup.make("myUser", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getUserInfo", me, { success: MyUser })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Get the logged-in user" }),
    HttpApiEndpoint.put("putUserInfo", me, { payload: UpdateMe, success: HttpApiSchema.NoContent })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Change the user's profile, preferences, email address or password",
        problems: problems(400, [401, "current_password_is_invalid"], 409, 429)
      }),
    HttpApiEndpoint.delete("deleteMe", me, { success: HttpApiSchema.NoContent })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Delete the logged-in user with all their data", problems: problems(400) }),
    HttpApiEndpoint.get("getUsersMeVideoQuotaUsed", `${me}/video-quota-used`, { success: QuotaUsed })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Get the quota the user has used, in bytes" }),
    HttpApiEndpoint.get("getUsersMeVideos", `${me}/videos`, { query: myVideosQuery, success: VideoList })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "List the user's videos in every state and privacy", problems: problems(400) }),
    HttpApiEndpoint.get("getUsersMeVideosImports", `${me}/videos/imports`, {
      query: myImportsQuery,
      success: VideoImportsList
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "List the imports of the user", problems: problems(400) }),
    HttpApiEndpoint.get("getUsersMeVideosRating", `${me}/videos/:videoIdOrUUID/rating`, {
      params: { videoIdOrUUID: VideoIdOrUuid },
      success: MyVideoRating
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Get the user's rating of a video", problems: problems(400, 403, 404) }),
    HttpApiEndpoint.put("putUsersMeNotificationSettings", `${me}/notification-settings`, {
      payload: NotificationSettings,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        tag: "My Notifications",
        summary: "Change the notification settings",
        problems: problems(400)
      }),
    HttpApiEndpoint.post("postUsersMeNewFeatureInfoRead", `${me}/new-feature-info/read`, {
      payload: NewFeatureRead,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Mark a new feature's announcement as read", problems: problems(400) }),
    HttpApiEndpoint.post("postUsersMeAvatarPick", `${me}/avatar/pick`, { success: Avatars })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Set the avatar of the user",
        body: {
          "multipart/form-data": {
            type: "object",
            required: ["avatarfile"],
            properties: { avatarfile: { type: "string", format: "binary" } }
          }
        },
        problems: problems(400, 408, [413, "max_file_size_reached"], 415, 507)
      }),
    HttpApiEndpoint.delete("deleteUsersMeAvatar", `${me}/avatar`, { success: HttpApiSchema.NoContent })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Remove the avatar of the user" })
  )
  .annotate(OpenApi.Title, "My User") {}
