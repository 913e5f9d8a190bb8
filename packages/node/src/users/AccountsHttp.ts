import { Api } from "@kinora/domain/api/Api"
import { AccountNotFound, VideoChannelNotFound } from "@kinora/domain/errors/ActorErrors"
import { toVideoListQuery, type VideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import { Viewer } from "@kinora/domain/users/CurrentUser"
import { Actors } from "@kinora/storage/actors/Actors"
import { VideoLists } from "@kinora/storage/videos/reads/VideoLists"
import type { VideoScope } from "@kinora/storage/videos/reads/VideoQuery"
import { Effect, Layer, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { KinoraConfig } from "../config/Config.ts"
import { answer, jsonText } from "../http/Answer.ts"
import { permittedQuery } from "../videos/ListQuery.ts"
import { readerOf } from "../videos/Reader.ts"

/** Lists the videos of a scope for the viewer of the request. */
const videoList = Effect.gen(function* () {
  const config = yield* KinoraConfig
  const lists = yield* VideoLists
  return Effect.fnUntraced(function* (query: VideoListQuery, scope: VideoScope) {
    const { user } = yield* Viewer
    const permitted = yield* Effect.fromResult(permittedQuery(query, user, config.instance.default_nsfw_policy))
    return jsonText(yield* lists.list(permitted, readerOf(user), scope))
  })
})

const accounts = HttpApiBuilder.group(
  Api,
  "accounts",
  Effect.fnUntraced(function* (handlers) {
    const actors = yield* Actors
    const list = yield* videoList
    return handlers.handleAll({
      getAccount: ({ params }) =>
        answer(
          Effect.gen(function* () {
            const account = yield* actors.account(params.name)
            return Option.isNone(account) ? yield* new AccountNotFound() : jsonText(account.value.json)
          })
        ),
      getAccountVideos: ({ params, query }) =>
        answer(
          Effect.gen(function* () {
            const account = yield* actors.account(params.name)
            if (Option.isNone(account)) return yield* new AccountNotFound()
            return yield* list(toVideoListQuery(query), { _tag: "Account", accountId: account.value.id })
          })
        )
    })
  })
)

const channels = HttpApiBuilder.group(
  Api,
  "videoChannels",
  Effect.fnUntraced(function* (handlers) {
    const actors = yield* Actors
    const list = yield* videoList
    return handlers.handleAll({
      getVideoChannel: ({ params }) =>
        answer(
          Effect.gen(function* () {
            const channel = yield* actors.channel(params.channelHandle)
            return Option.isNone(channel) ? yield* new VideoChannelNotFound() : jsonText(channel.value.json)
          })
        ),
      getVideoChannelVideos: ({ params, query }) =>
        answer(
          Effect.gen(function* () {
            const channel = yield* actors.channel(params.channelHandle)
            if (Option.isNone(channel)) return yield* new VideoChannelNotFound()
            return yield* list(toVideoListQuery(query), { _tag: "Channel", channelId: channel.value.id })
          })
        )
    })
  })
)

/** Accounts and channels, and the videos of each. */
export const layer = Layer.merge(accounts, channels)
