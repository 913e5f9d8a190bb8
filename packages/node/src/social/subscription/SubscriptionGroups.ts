import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { SubscriptionGroupNotFound, SubscriptionGroupRefused } from "@kinora/domain/errors/SubscriptionErrors"
import type { NewSubscriptionGroup, SubscriptionGroupUpdate } from "@kinora/domain/requests/SubscriptionGroupRequests"
import { type GroupRefusal, SubscriptionGroupRows } from "@kinora/storage/social/subscription/SubscriptionGroupRows"
import { Context, Effect, Layer } from "effect"

type Refused = SubscriptionGroupRefused | DatabaseUnavailable

const refuse = (reason: string) => Effect.fail(new SubscriptionGroupRefused({ reason }))

const explained = <A>(change: Effect.Effect<A, GroupRefusal | DatabaseUnavailable>) =>
  Effect.catchTags(change, {
    GroupNameTaken: ({ name }) => refuse(`There is a group named ${name} already`),
    TooManyGrouped: ({ max, what }) =>
      refuse(what === "groups" ? `There can be no more than ${max} groups` : `A group has at most ${max} channels`),
    ChannelNotFollowed: ({ uri }) => refuse(`You do not follow ${uri}`)
  })

const found = (isThere: boolean) => (isThere ? Effect.void : Effect.fail(new SubscriptionGroupNotFound()))

/** Groups in which users sort the channels they follow. A group has nothing that its user does not follow. */
export class SubscriptionGroups extends Context.Service<
  SubscriptionGroups,
  {
    /** Row id of the new group. */
    readonly add: (userId: number, group: NewSubscriptionGroup) => Effect.Effect<number, Refused>
    readonly update: (
      userId: number,
      groupId: number,
      changes: SubscriptionGroupUpdate
    ) => Effect.Effect<void, SubscriptionGroupNotFound | Refused>
    readonly remove: (
      userId: number,
      groupId: number
    ) => Effect.Effect<void, SubscriptionGroupNotFound | DatabaseUnavailable>
  }
>()("@kinora/node/social/subscription/SubscriptionGroups") {
  static readonly layer = Layer.effect(
    SubscriptionGroups,
    Effect.gen(function* () {
      const rows = yield* SubscriptionGroupRows
      return SubscriptionGroups.of({
        add: Effect.fn("SubscriptionGroups.add")((userId, { channels, name }) =>
          explained(rows.add(userId, name, channels ?? []))
        ),
        update: Effect.fn("SubscriptionGroups.update")((userId, groupId, changes) => {
          const { addChannels: added, channels: all, name, removeChannels: removed } = changes
          return Effect.flatMap(explained(rows.update(userId, groupId, { name, all, added, removed })), found)
        }),
        remove: Effect.fn("SubscriptionGroups.remove")((userId, groupId) =>
          Effect.flatMap(rows.remove(userId, groupId), found)
        )
      })
    })
  ).pipe(Layer.provide(SubscriptionGroupRows.layer))
}
