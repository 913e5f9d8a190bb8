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
      .annotate(Docs, { summary: "The user who asks" }),
    HttpApiEndpoint.put("putUserInfo", me, { payload: UpdateMe, success: HttpApiSchema.NoContent })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Change profile, preferences, mail address or password",
        problems: problems(400, [401, "current_password_is_invalid"], 409, 429)
      }),
    HttpApiEndpoint.delete("deleteMe", me, { success: HttpApiSchema.NoContent })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Delete the user who asks, with everything that is theirs", problems: problems(400) }),
    HttpApiEndpoint.get("getUsersMeVideoQuotaUsed", `${me}/video-quota-used`, { success: QuotaUsed })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Bytes the videos of the user take" }),
    HttpApiEndpoint.get("getUsersMeVideos", `${me}/videos`, { query: myVideosQuery, success: VideoList })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "List the videos of the user, of every state and privacy", problems: problems(400) }),
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
      .annotate(Docs, { summary: "What the user thinks of a video", problems: problems(400, 403, 404) }),
    HttpApiEndpoint.put("putUsersMeNotificationSettings", `${me}/notification-settings`, {
      payload: NotificationSettings,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        tag: "My Notifications",
        summary: "Choose what to be told of, and how",
        problems: problems(400)
      }),
    HttpApiEndpoint.post("postUsersMeNewFeatureInfoRead", `${me}/new-feature-info/read`, {
      payload: NewFeatureRead,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Note that the user has read of a new feature", problems: problems(400) }),
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
