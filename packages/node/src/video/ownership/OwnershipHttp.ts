import { VideoChannelNotFound } from "@kinora/domain/errors/ActorErrors"
import { Forbidden } from "@kinora/domain/errors/AuthErrors"
import type { ActorHandle } from "@kinora/domain/ids/ActorHandle"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import { type ListPage, toListPage } from "@kinora/domain/requests/ActorListQueries"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { ChannelRows } from "@kinora/storage/people/channel/ChannelRows"
import { OwnershipRequests } from "@kinora/storage/video/ownership/OwnershipRequests"
import type { OwnedKind } from "@kinora/storage/video/ownership/OwnedItem"
import { OwnershipTransfers } from "@kinora/storage/video/ownership/OwnershipTransfers"
import { Recipients } from "@kinora/storage/video/ownership/Recipients"
import { Effect, Layer, Option } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { mayOnChannel } from "../../people/channel/ChannelRights.ts"
import { type Answers, answer, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { presented } from "../list/Presented.ts"
import { VideoAccess } from "../list/VideoAccess.ts"
import { mayGive } from "../list/VideoRights.ts"
import { Ownership } from "./Ownership.ts"

const rows = Layer.mergeAll(ChannelRows.layer, OwnershipRequests.layer, OwnershipTransfers.layer, Recipients.layer)

/** The endpoints of ownership transfers within the instance. */
export const layer = apiGroup(
  "ownership",
  Effect.fnUntraced(function* (handlers) {
    const access = yield* VideoAccess
    const channels = yield* ChannelRows
    const requests = yield* OwnershipRequests
    const ownership = yield* Ownership

    /** A video that the user may give away, and the user. */
    const video = Effect.fnUntraced(function* (id: VideoIdOrUuid, request: HttpServerRequest) {
      const user = yield* CurrentUser
      const found = yield* access.open(id, presented(request, Option.some(user)))
      if (!mayGive(found, user)) return yield* new Forbidden({ reason: "Only the owner may transfer a video" })
      return { user, item: { kind: "video" as const, id: found.id, ownerAccountId: found.accountId } }
    })

    /** The same for a channel. */
    const channel = Effect.fnUntraced(function* (handle: ActorHandle) {
      const user = yield* CurrentUser
      const found = yield* channels.byHandle(handle)
      if (Option.isNone(found)) return yield* new VideoChannelNotFound()
      if (!mayOnChannel(user, "give", found.value)) {
        return yield* new Forbidden({ reason: "Only the owner may transfer a channel" })
      }
      return { user, item: { kind: "channel" as const, id: found.value.id, ownerAccountId: found.value.accountId } }
    })

    const sentTo = (kind: OwnedKind, page: ListPage<"createdAt">) =>
      answer(
        Effect.flatMap(CurrentUser, (user) =>
          Effect.map(requests.sentTo(kind, user.accountId, page), (text) => jsonText(text))
        )
      )
    const refuse = (kind: OwnedKind, id: number) =>
      answer(Effect.flatMap(CurrentUser, (user) => ownership.refuse(user, kind, id)))
    const withdraw = (kind: OwnedKind, id: number) =>
      answer(Effect.flatMap(CurrentUser, (user) => ownership.withdraw(user, kind, id)))

    return handlers.handleAll({
      getVideosOwnership: ({ query }) => sentTo("video", toListPage(query)),
      postVideosOwnershipAccept: ({ params, payload }) =>
        answer(Effect.flatMap(CurrentUser, (user) => ownership.acceptVideo(user, params.id, payload.channelId))),
      postVideosOwnershipRefuse: ({ params }) => refuse("video", params.id),
      deleteVideosOwnershipById: ({ params }) => withdraw("video", params.id),
      getVideosOwnership2: ({ params, query, request }) =>
        answer(
          Effect.gen(function* () {
            const { item } = yield* video(params.id, request)
            return jsonText(yield* requests.about(item, query.state ?? null, toListPage(query)))
          })
        ),
      postVideosGiveOwnership: ({ params, payload, request }) =>
        answer(
          Effect.gen(function* () {
            const { item, user } = yield* video(params.id, request)
            yield* ownership.give(user, item, payload.username)
          })
        ),
      getVideoChannelsOwnership: ({ query }) => sentTo("channel", toListPage(query)),
      postVideoChannelsOwnershipAccept: ({ params }) =>
        answer(Effect.flatMap(CurrentUser, (user) => ownership.acceptChannel(user, params.id))),
      postVideoChannelsOwnershipRefuse: ({ params }) => refuse("channel", params.id),
      deleteVideoChannelsOwnershipById: ({ params }) => withdraw("channel", params.id),
      getVideoChannelsOwnership2: ({ params, query }) =>
        answer(
          Effect.gen(function* () {
            const { item } = yield* channel(params.channelHandle)
            return jsonText(yield* requests.about(item, query.state ?? null, toListPage(query)))
          })
        ),
      postVideoChannelsGiveOwnership: ({ params, payload }) =>
        answer(
          Effect.gen(function* () {
            const { item, user } = yield* channel(params.channelHandle)
            yield* ownership.give(user, item, payload.username)
          })
        )
    } satisfies Answers<"ownership">)
  })
).pipe(Layer.provide(Ownership.layer), Layer.provide(rows))
