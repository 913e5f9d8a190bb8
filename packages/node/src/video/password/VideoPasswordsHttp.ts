import { toPasswordPage } from "@kinora/domain/requests/PasswordRequests"
import { Effect } from "effect"
import { EditableVideos } from "../edit/EditableVideos.ts"
import { type Answers, answer, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { PasswordProtection } from "./PasswordProtection.ts"

/** Passwords of videos, for users who may edit the video. */
export const layer = apiGroup(
  "videoPasswords",
  Effect.fnUntraced(function* (handlers) {
    const editable = yield* EditableVideos
    const protection = yield* PasswordProtection

    return handlers.handleAll({
      listVideoPasswords: ({ params, query, request }) =>
        answer(
          Effect.gen(function* () {
            const opened = yield* editable.open(params.id, request)
            const text = yield* protection.list(opened, toPasswordPage(query))
            return jsonText(text, { headers: { "cache-control": "no-store" } })
          })
        ),
      addVideoPassword: ({ params, payload, request }) =>
        answer(Effect.flatMap(editable.open(params.id, request), (opened) => protection.add(opened, payload.password))),
      updateVideoPasswordList: ({ params, payload, request }) =>
        answer(
          Effect.flatMap(editable.open(params.id, request), (opened) => protection.replace(opened, payload.passwords))
        ),
      removeVideoPassword: ({ params, request }) =>
        answer(
          Effect.flatMap(editable.open(params.id, request), (opened) => protection.remove(opened, params.passwordId))
        )
    } satisfies Answers<"videoPasswords">)
  })
)
