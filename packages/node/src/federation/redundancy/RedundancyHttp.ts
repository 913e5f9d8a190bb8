import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { RedundancyLists } from "@kinora/storage/federation/redundancy/RedundancyLists"
import { VideoReads } from "@kinora/storage/video/read/VideoReads"
import { Effect } from "effect"
import { type Answers, answer, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { Redundancy } from "./Redundancy.ts"

/** Copies of videos. */
export const layer = apiGroup(
  "redundancy",
  Effect.fnUntraced(function* (handlers) {
    const redundancy = yield* Redundancy
    const lists = yield* RedundancyLists
    const videos = yield* VideoReads
    return handlers.handleAll({
      getMirroredVideos: ({ query: { count = 15, sort, start = 0, target } }) =>
        answer(Effect.map(lists.list(target, { start, count, descending: sort?.descending ?? false }), jsonText)),
      putMirroredVideo: ({ payload }) =>
        answer(
          Effect.gen(function* () {
            const { id } = yield* videos.access(payload.videoId)
            yield* redundancy.mirror(yield* CurrentUser, id)
          })
        ),
      delMirroredVideo: ({ params }) =>
        answer(Effect.flatMap(CurrentUser, (user) => redundancy.remove(user, params.redundancyId))),
      putServerRedundancyByHost: ({ params, payload }) =>
        answer(Effect.flatMap(CurrentUser, (user) => redundancy.allow(user, params.host, payload.redundancyAllowed)))
    } satisfies Answers<"redundancy">)
  })
)
