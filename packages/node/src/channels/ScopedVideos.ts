import type { VideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import { Viewer } from "@kinora/domain/users/CurrentUser"
import { VideoLists } from "@kinora/storage/videos/reads/VideoLists"
import type { VideoScope } from "@kinora/storage/videos/reads/VideoQuery"
import { Effect } from "effect"
import { KinoraConfig } from "../config/Config.ts"
import { jsonText } from "../http/Answer.ts"
import { permittedQuery } from "../videos/ListQuery.ts"
import { readerOf } from "../videos/Reader.ts"

/** Lists the videos of an account or a channel for the viewer of the request. */
export const scopedVideos = Effect.gen(function* () {
  const config = yield* KinoraConfig
  const lists = yield* VideoLists
  return Effect.fnUntraced(function* (query: VideoListQuery, scope: VideoScope) {
    const { user } = yield* Viewer
    const permitted = yield* Effect.fromResult(permittedQuery(query, user, config.instance.default_nsfw_policy))
    return jsonText(yield* lists.list(permitted, readerOf(user), scope))
  })
})
