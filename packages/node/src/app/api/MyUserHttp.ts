import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import { InvalidToken } from "@kinora/domain/errors/AuthErrors"
import { toMyImportsQuery, toMyVideosQuery } from "@kinora/domain/requests/MyVideosQuery"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { MyImports } from "@kinora/storage/video/import/MyImports"
import { MyUserRows } from "@kinora/storage/people/user/MyUserRows"
import { VideoLists } from "@kinora/storage/video/list/VideoLists"
import { Effect, Option } from "effect"
import { ImageUpload } from "../../people/actor/ImageUpload.ts"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { type Answers, answer, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { presentedByUser } from "../../video/list/Presented.ts"
import { readerOf } from "../../video/list/Reader.ts"
import { VideoAccess } from "../../video/list/VideoAccess.ts"
import { MyUser } from "../../people/me/MyUser.ts"
import { myUserWire } from "../../people/me/MyUserWire.ts"

const noSettings = InvalidParameters.one("notificationSettings", "Must name at least one kind of notification", "body")

/** The user who asks. */
export const layer = apiGroup(
  "myUser",
  Effect.fnUntraced(function* (handlers) {
    const config = yield* KinoraConfig
    const rows = yield* MyUserRows
    const me = yield* MyUser
    const lists = yield* VideoLists
    const imports = yield* MyImports
    const access = yield* VideoAccess
    const uploads = yield* ImageUpload

    return handlers.handleAll({
      getUserInfo: () =>
        answer(
          Effect.gen(function* () {
            const user = yield* CurrentUser
            const row = yield* rows.byId(user.id)
            // The user was deleted after the token was checked.
            if (Option.isNone(row)) return yield* new InvalidToken()
            return myUserWire(row.value, config)
          })
        ),
      putUserInfo: ({ payload }) => answer(Effect.flatMap(CurrentUser, (user) => me.update(user, payload))),
      deleteMe: () => answer(Effect.flatMap(CurrentUser, me.remove)),
      getUsersMeVideoQuotaUsed: () =>
        answer(
          Effect.gen(function* () {
            const { used, usedDaily } = yield* rows.quotaUsed((yield* CurrentUser).id)
            return { videoQuotaUsed: used, videoQuotaUsedDaily: usedDaily }
          })
        ),
      getUsersMeVideos: ({ query }) =>
        answer(
          Effect.gen(function* () {
            const user = yield* CurrentUser
            const { channelNames, collaborations, videos } = toMyVideosQuery(query)
            const scope = { _tag: "Mine", accountId: user.accountId, collaborations, channelNames } as const
            return jsonText(yield* lists.list(videos, readerOf(Option.some(user)), scope))
          })
        ),
      getUsersMeVideosImports: ({ query }) =>
        answer(
          Effect.gen(function* () {
            const user = yield* CurrentUser
            return jsonText(yield* imports.list(user.id, user.accountId, toMyImportsQuery(query)))
          })
        ),
      getUsersMeVideosRating: ({ params, request }) =>
        answer(
          Effect.gen(function* () {
            const user = yield* CurrentUser
            const { id } = yield* access.open(params.videoIdOrUUID, yield* presentedByUser(request))
            return { id, videoId: id, rating: (yield* rows.rating(user.accountId, id)) ?? "none" }
          })
        ),
      putUsersMeNotificationSettings: ({ payload }) =>
        answer(
          Effect.gen(function* () {
            if (Object.keys(payload).length === 0) return yield* noSettings
            yield* rows.setNotifications((yield* CurrentUser).id, payload)
          })
        ),
      postUsersMeNewFeatureInfoRead: ({ payload }) =>
        answer(Effect.flatMap(CurrentUser, (user) => rows.markFeatureRead(user.id, payload.feature))),
      postUsersMeAvatarPick: ({ request }) =>
        answer(
          Effect.gen(function* () {
            const user = yield* CurrentUser
            const file = yield* uploads.read(request, "avatar")
            return { avatars: yield* me.setAvatar(user, file) }
          }).pipe(Effect.scoped)
        ),
      deleteUsersMeAvatar: () => answer(Effect.flatMap(CurrentUser, me.removeAvatar))
    } satisfies Answers<"myUser">)
  })
)
