import type { ActorHandle } from "@kinora/domain/ids/ActorHandle"
import type { VideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import { Viewer } from "@kinora/domain/users/CurrentUser"
import { VideoLists } from "@kinora/storage/video/list/VideoLists"
import type { VideoScope } from "@kinora/storage/video/read/VideoQuery"
import { Effect } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { jsonText } from "../../platform/http/Answer.ts"
import { permittedQuery } from "./ListQuery.ts"
import { mayLookUp } from "../../people/rights/LookUpRight.ts"
import { readerOf } from "./Reader.ts"

type OwnedScope = Extract<VideoScope, { readonly _tag: "Account" | "Channel" }>

/** Lists the videos of an account or a channel for the viewer of the request. */
export const scopedVideos = Effect.gen(function* () {
  const config = yield* KinoraConfig
  const lists = yield* VideoLists
  const ours = new URL(config.derived.origin).host
  return Effect.fnUntraced(function* (query: VideoListQuery, { host }: ActorHandle, scope: OwnedScope) {
    const { user } = yield* Viewer
    const permitted = yield* Effect.fromResult(permittedQuery(query, user, config.instance.default_nsfw_policy))
    // What the instance does not follow is for those who may look it up.
    const unfollowed = host !== null && host !== ours && mayLookUp(config.search.remote_uri, user)
    return jsonText(yield* lists.list(permitted, readerOf(user), unfollowed ? { ...scope, unfollowed } : scope))
  })
})
