import { type ListPage, toListPage } from "@kinora/domain/requests/ActorListQueries"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { OwnershipLists } from "@kinora/storage/video/ownership/OwnershipLists"
import type { OwnedKind } from "@kinora/storage/video/ownership/OwnedItem"
import { Effect } from "effect"
import { type Answers, answer, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { presentedByUser } from "../list/Presented.ts"
import { Ownership } from "./Ownership.ts"
import { TransferableItems } from "./TransferableItems.ts"

/** The endpoints of ownership transfers within the instance. */
export const layer = apiGroup(
  "ownership",
  Effect.fnUntraced(function* (handlers) {
    const items = yield* TransferableItems
    const lists = yield* OwnershipLists
    const ownership = yield* Ownership

    const sentTo = (kind: OwnedKind, page: ListPage<"createdAt">) =>
      answer(
        Effect.flatMap(CurrentUser, (user) =>
          Effect.map(lists.sentTo(kind, user.accountId, page), (text) => jsonText(text))
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
            const item = yield* items.video(params.id, yield* presentedByUser(request))
            return jsonText(yield* lists.about(item, query.state ?? null, toListPage(query)))
          })
        ),
      postVideosGiveOwnership: ({ params, payload, request }) =>
        answer(
          Effect.gen(function* () {
            const item = yield* items.video(params.id, yield* presentedByUser(request))
            yield* ownership.give(yield* CurrentUser, item, payload.username)
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
            const item = yield* items.channel(params.channelHandle, yield* CurrentUser)
            return jsonText(yield* lists.about(item, query.state ?? null, toListPage(query)))
          })
        ),
      postVideoChannelsGiveOwnership: ({ params, payload }) =>
        answer(
          Effect.gen(function* () {
            const user = yield* CurrentUser
            const item = yield* items.channel(params.channelHandle, user)
            yield* ownership.give(user, item, payload.username)
          })
        )
    } satisfies Answers<"ownership">)
  })
)
