import { Api } from "@kinora/domain/api/Api"
import { RedundancyRows } from "@kinora/storage/federation/redundancy/RedundancyRows"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer, jsonText } from "../../platform/http/Answer.ts"
import { Redundancy } from "./Redundancy.ts"

/** Copies of videos. */
export const layer = HttpApiBuilder.group(
  Api,
  "redundancy",
  Effect.fnUntraced(function* (handlers) {
    const redundancy = yield* Redundancy
    const rows = yield* RedundancyRows
    return handlers.handleAll({
      getMirroredVideos: ({ query: { count = 15, sort, start = 0, target } }) =>
        answer(Effect.map(rows.list(target, { start, count, descending: sort?.descending ?? false }), jsonText)),
      putMirroredVideo: ({ payload }) => answer(redundancy.mirror(payload.videoId)),
      delMirroredVideo: ({ params }) => answer(redundancy.remove(params.redundancyId)),
      putServerRedundancyByHost: ({ params, payload }) =>
        answer(redundancy.allow(params.host, payload.redundancyAllowed))
    })
  })
)
