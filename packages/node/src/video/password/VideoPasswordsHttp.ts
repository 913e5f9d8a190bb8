import { constraints } from "@kinora/domain/enums/Constraints"
import { VideoPrivacy } from "@kinora/domain/enums/VideoPrivacy"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { VideoChangeRefused, VideoNotFound, VideoPasswordNotFound } from "@kinora/domain/errors/VideoErrors"
import { toPasswordPage } from "@kinora/domain/requests/PasswordRequests"
import { type PasswordChange, VideoPasswords } from "@kinora/storage/video/password/VideoPasswords"
import { Effect } from "effect"
import { EditableVideos } from "../edit/EditableVideos.ts"
import { type Answers, answer, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"

const notProtected = new VideoChangeRefused({ reason: "This video is not protected by a password" })

const settle = Effect.fnUntraced(function* (change: Effect.Effect<PasswordChange, DatabaseUnavailable>) {
  switch (yield* change) {
    case "done":
      return
    case "gone":
      return yield* new VideoNotFound()
    case "open":
      return yield* notProtected
    case "full":
      return yield* new VideoChangeRefused({
        reason: `A video has at most ${constraints.video.passwords.max} passwords`
      })
    case "unknown":
      return yield* new VideoPasswordNotFound()
    case "last":
      return yield* new VideoChangeRefused({ reason: "The last password of a protected video stays" })
  }
})

/** Passwords of videos, for users who may edit the video. */
export const layer = apiGroup(
  "videoPasswords",
  Effect.fnUntraced(function* (handlers) {
    const editable = yield* EditableVideos
    const passwords = yield* VideoPasswords

    return handlers.handleAll({
      listVideoPasswords: ({ params, query, request }) =>
        answer(
          Effect.gen(function* () {
            const { video } = yield* editable.open(params.id, request)
            if (video.privacy !== VideoPrivacy.passwordProtected) return yield* notProtected
            const text = yield* passwords.list(video.id, toPasswordPage(query))
            return jsonText(text, { headers: { "cache-control": "no-store" } })
          })
        ),
      addVideoPassword: ({ params, payload, request }) =>
        answer(
          Effect.gen(function* () {
            const { user, video } = yield* editable.open(params.id, request)
            yield* settle(passwords.add(video.id, user.accountId, payload.password))
          })
        ),
      updateVideoPasswordList: ({ params, payload, request }) =>
        answer(
          Effect.gen(function* () {
            const { user, video } = yield* editable.open(params.id, request)
            yield* settle(passwords.replace(video.id, user.accountId, payload.passwords))
          })
        ),
      removeVideoPassword: ({ params, request }) =>
        answer(
          Effect.gen(function* () {
            const { user, video } = yield* editable.open(params.id, request)
            yield* settle(passwords.remove(video.id, user.accountId, params.passwordId))
          })
        )
    } satisfies Answers<"videoPasswords">)
  })
)
