import { LiveSessionNotFound } from "@kinora/domain/errors/LiveErrors"

import { CurrentUser, Viewer } from "@kinora/domain/users/CurrentUser"
import { LiveSessionLists } from "@kinora/storage/live/LiveSessionLists"
import { Effect, Option } from "effect"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { type Answers, answer, json, jsonText } from "../../platform/http/Answer.ts"
import { EditableVideos } from "../../video/edit/EditableVideos.ts"
import { presentedByViewer } from "../../video/list/Presented.ts"
import { VideoAccess } from "../../video/list/VideoAccess.ts"
import { EndedLives } from "./EndedLives.ts"
import { MarkedLives } from "./MarkedLives.ts"
import { LivesAnywhere } from "../elsewhere/LivesAnywhere.ts"
import { LiveVideos } from "./LiveVideos.ts"

const noStore = { headers: { "cache-control": "no-store" } }

/** Lives. */
export const layer = apiGroup(
  "liveVideos",
  Effect.fnUntraced(function* (handlers) {
    const lives = yield* LiveVideos
    const sessions = yield* LiveSessionLists
    const editable = yield* EditableVideos
    const access = yield* VideoAccess
    const ending = yield* EndedLives
    const running = yield* LivesAnywhere
    const marking = yield* MarkedLives

    return handlers.handleAll({
      addLive: ({ request }) =>
        answer(Effect.flatMap(CurrentUser, (user) => Effect.map(lives.create(user, request), json))),
      getLiveId: ({ params, request }) =>
        answer(
          Effect.gen(function* () {
            const video = yield* access.open(params.id, yield* presentedByViewer(request))
            return json(yield* lives.read(video, (yield* Viewer).user), noStore)
          })
        ),
      updateLiveId: ({ params, payload, request }) =>
        answer(Effect.flatMap(editable.open(params.id, request), (opened) => lives.change(opened, payload))),
      renewStreamKey: ({ params, request }) =>
        answer(
          Effect.gen(function* () {
            return json(yield* lives.renewKey(yield* editable.open(params.id, request)), noStore)
          })
        ),
      endLive: ({ params, request }) =>
        answer(Effect.flatMap(editable.open(params.id, request), (opened) => ending.end(opened))),
      getLiveHealth: ({ params, request }) =>
        answer(
          Effect.gen(function* () {
            const { video } = yield* editable.open(params.id, request)
            return json(yield* running.health(video.id), noStore)
          })
        ),
      markLive: ({ params, payload, request }) =>
        answer(
          Effect.gen(function* () {
            return json(yield* marking.mark(yield* editable.open(params.id, request), payload.title), noStore)
          })
        ),
      listLiveMarks: ({ params, request }) =>
        answer(
          Effect.gen(function* () {
            const { video } = yield* editable.open(params.id, request)
            return jsonText(yield* marking.ofLive(video.id), noStore)
          })
        ),
      getVideosLiveSessions: ({ params, query, request }) =>
        answer(
          Effect.gen(function* () {
            const { video } = yield* editable.open(params.id, request)
            return jsonText(yield* sessions.ofLive(video.id, query.sort?.descending ?? false))
          })
        ),
      getVideosLiveSession: ({ params, request }) =>
        answer(
          Effect.gen(function* () {
            const { video } = yield* editable.open(params.id, request)
            const found = yield* sessions.ofReplay(video.id)
            return Option.isNone(found) ? yield* new LiveSessionNotFound() : jsonText(found.value)
          })
        )
    } satisfies Answers<"liveVideos">)
  })
)
