import { constraints } from "@kinora/domain/enums/Constraints"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { NamedChannel } from "@kinora/domain/requests/SubscriptionRequests"
import { Context, Data, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { inTransaction } from "../../platform/database/InTransaction.ts"

/** The user has another group of this name. */
export class GroupNameTaken extends Data.TaggedError("GroupNameTaken")<{ readonly name: string }> {}

/** The user has as many groups, or a group as many channels, as there may be. */
export class TooManyGrouped extends Data.TaggedError("TooManyGrouped")<{
  readonly what: "groups" | "channels"
  readonly max: number
}> {}

/** The user does not follow this channel. */
export class ChannelNotFollowed extends Data.TaggedError("ChannelNotFollowed")<{ readonly uri: string }> {}

export type GroupRefusal = GroupNameTaken | TooManyGrouped | ChannelNotFollowed

type Channels = ReadonlyArray<NamedChannel>

/** What is to become of a group; what is missing stays. */
export interface GroupChange {
  readonly name?: string | undefined
  /** All of the group from then on. */
  readonly all?: Channels | undefined
  readonly added?: Channels | undefined
  /** What is not in it may be named. */
  readonly removed?: Channels | undefined
}

const { channels, perUser } = constraints.subscriptionGroup

const make = Effect.gen(function* () {
  const sql = yield* SqlClient

  /** Changes of a user's groups wait for each other; departures take the account first as well. */
  const lock = (userId: number) => sql`select 1 from account where user_id = ${userId} for no key update`

  /**
   * Row ids of the user's follows of these channels. Those are held before any member is changed: who ends a follow takes it
   * and then its members.
   */
  const followsOf = Effect.fnUntraced(function* (userId: number, named: Channels) {
    const rows = yield* sql<{ place: number; id: number }>`
      select (n.place - 1)::integer as place, f.id
      from unnest(${named.map(({ handle }) => handle.name)}::text[], ${named.map(({ handle }) => handle.host ?? "")}::text[])
          with ordinality n (name, host, place)
        join actor a on a.preferred_username = n.name::citext left join server s on s.id = a.server_id
        join video_channel h on h.actor_id = a.id
        join actor_follow f on f.target_actor_id = a.id and f.state <> 'rejected'
      where f.actor_id = (select actor_id from account where user_id = ${userId})
        and s.host is not distinct from nullif(nullif(n.host, ''), lower(wire_host(wire_origin())))::citext
      order by f.id for key share of f`
    return new Map(rows.map(({ id, place }) => [place, id]))
  })

  /** The same, where every channel has to be followed. */
  const followsOfAll = Effect.fnUntraced(function* (userId: number, named: Channels) {
    const follows = yield* followsOf(userId, named)
    const missing = named.find((_, place) => !follows.has(place))
    if (missing !== undefined) return yield* new ChannelNotFollowed({ uri: missing.uri })
    return [...follows.values()]
  })

  const checkName = Effect.fnUntraced(function* (userId: number, name: string, besides: number) {
    const taken = yield* sql`
      select 1 from subscription_group where user_id = ${userId} and name = ${name} and id <> ${besides}`
    if (taken.length > 0) return yield* new GroupNameTaken({ name })
  })

  const fill = Effect.fnUntraced(function* (userId: number, groupId: number, { added, all, removed }: GroupChange) {
    const wanted = yield* followsOfAll(userId, [...(all ?? []), ...(added ?? [])])
    const unwanted = removed === undefined ? [] : [...(yield* followsOf(userId, removed)).values()]
    if (all !== undefined) {
      yield* sql`delete from subscription_group_member
        where group_id = ${groupId} and follow_id <> all(${wanted}::integer[])`
    }
    yield* sql`
      insert into subscription_group_member (group_id, follow_id)
      select ${groupId}, w.id from unnest(${wanted}::integer[]) w (id) on conflict do nothing`
    yield* sql`delete from subscription_group_member
      where group_id = ${groupId} and follow_id = any(${unwanted}::integer[])`
    const [found] = yield* sql<{ count: number }>`
      select count(*) as count from subscription_group_member where group_id = ${groupId}`
    if (found!.count > channels.max) return yield* new TooManyGrouped({ what: "channels", max: channels.max })
  })

  const add = Effect.fn("SubscriptionGroupRows.add")(
    function* (userId: number, name: string, members: Channels) {
      yield* lock(userId)
      yield* checkName(userId, name, 0)
      const [found] = yield* sql<{ count: number }>`
        select count(*) as count from subscription_group where user_id = ${userId}`
      if (found!.count >= perUser.max) return yield* new TooManyGrouped({ what: "groups", max: perUser.max })
      const [made] = yield* sql<{ id: number }>`
        insert into subscription_group (user_id, name) values (${userId}, ${name}) returning id`
      yield* fill(userId, made!.id, { added: members })
      return made!.id
    },
    inTransaction(sql),
    withDatabaseErrors
  )

  const update = Effect.fn("SubscriptionGroupRows.update")(
    function* (userId: number, groupId: number, change: GroupChange) {
      yield* lock(userId)
      if (change.name !== undefined) yield* checkName(userId, change.name, groupId)
      const known = yield* sql`
        update subscription_group set name = coalesce(${change.name ?? null}::citext, name), updated_at = now()
        where id = ${groupId} and user_id = ${userId} returning id`
      if (known.length === 0) return false
      yield* fill(userId, groupId, change)
      return true
    },
    inTransaction(sql),
    withDatabaseErrors
  )

  const remove = Effect.fn("SubscriptionGroupRows.remove")(
    function* (userId: number, groupId: number) {
      yield* lock(userId)
      const gone = yield* sql`
        delete from subscription_group where id = ${groupId} and user_id = ${userId} returning id`
      return gone.length > 0
    },
    inTransaction(sql),
    withDatabaseErrors
  )

  return SubscriptionGroupRows.of({ add, update, remove })
})

/** Groups in which users sort the channels they follow. */
export class SubscriptionGroupRows extends Context.Service<
  SubscriptionGroupRows,
  {
    /** Row id of the new group. */
    readonly add: (
      userId: number,
      name: string,
      members: Channels
    ) => Effect.Effect<number, GroupRefusal | DatabaseUnavailable>
    /** False: the user has no such group. */
    readonly update: (
      userId: number,
      groupId: number,
      change: GroupChange
    ) => Effect.Effect<boolean, GroupRefusal | DatabaseUnavailable>
    /** False: the user has no such group. */
    readonly remove: (userId: number, groupId: number) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/social/subscription/SubscriptionGroupRows") {
  static readonly layer = Layer.effect(SubscriptionGroupRows, make)
}
