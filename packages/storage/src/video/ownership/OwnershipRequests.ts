import { ChannelActivityAction } from "@kinora/domain/enums/ChannelActivity"
import type { OwnershipState } from "@kinora/domain/enums/OwnershipState"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ListPage } from "@kinora/domain/requests/ActorListQueries"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { direction, limit } from "../../platform/database/JsonPage.ts"
import { holdOwnersOf } from "../../people/collaborator/VideoActivities.ts"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { type Owned, type OwnedKind, recordOwnership, thingColumn } from "./OwnershipThing.ts"

/** A request that somebody takes over a video or a channel. */
export interface OwnershipRequest {
  readonly id: number
  readonly state: OwnershipState
  readonly initiatorAccountId: number
  readonly nextOwnerAccountId: number
  /** Who owns the thing at this moment. */
  readonly ownerAccountId: number
  /** Of the video or the channel. */
  readonly thingId: number
}

export interface NewOwnershipRequest {
  readonly thing: Owned
  readonly initiatorAccountId: number
  /** Who owned it when it was decided that it may be given. */
  readonly ownerAccountId: number
  readonly nextOwnerAccountId: number
}

/**
 * What became of a new request: `exists` when one waits for an answer, `last` when the owner would have no channel left,
 * `changed` when the owner is another by now, or one of them is gone.
 */
export type RequestMade = "made" | "exists" | "last" | "changed"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient

  const list = Effect.fnUntraced(function* (condition: Fragment, page: ListPage<"createdAt">) {
    const way = direction(sql, page.sort.descending)
    const rows = yield* sql<{ body: string }>`
      select json_build_object(
        'total', (select count(*) from ownership_change where ${condition}),
        'data', coalesce((
          select json_agg(wire_ownership_change(id) order by created_at ${way}, id ${way}) from (
            select id, created_at from ownership_change where ${condition}
            order by created_at ${way}, id ${way} ${limit(sql, page)}
          ) p
        ), '[]')
      )::text as body
    `
    return rows[0]!.body
  }, withDatabaseErrors)

  const sentTo = (kind: OwnedKind, accountId: number, page: ListPage<"createdAt">) =>
    list(sql`next_owner_account_id = ${accountId} and ${thingColumn(sql, kind)} is not null`, page)

  const about = (thing: Owned, state: OwnershipState | null, page: ListPage<"createdAt">) =>
    list(
      sql`${thingColumn(sql, thing.kind)} = ${thing.id}
        and (${state}::smallint is null or state = ${state}::smallint)`,
      page
    )

  const find = Effect.fn("OwnershipRequests.find")(function* (kind: OwnedKind, id: number) {
    const rows = yield* sql<OwnershipRequest>`
      select o.id, o.state, o.initiator_account_id as "initiatorAccountId",
        o.next_owner_account_id as "nextOwnerAccountId", t.account_id as "ownerAccountId", t.id as "thingId"
      from ownership_change o join ${sql.literal(kind === "video" ? "video" : "video_channel")} t
        on t.id = o.${thingColumn(sql, kind)}
      where o.id = ${id}
    `
    return Option.fromUndefinedOr(rows[0])
  }, withDatabaseErrors)

  /** Holds the thing, channels before what is in them, and gives its owner; undefined when it is gone. */
  const ownerOf = Effect.fnUntraced(function* ({ id, kind }: Owned) {
    if (kind === "video") yield* holdOwnersOf(sql, id)
    const rows = yield* kind === "video"
      ? sql<{ accountId: number }>`
          select account_id as "accountId" from video where id = ${id} and not remote for no key update`
      : sql<{ accountId: number }>`
          select account_id as "accountId" from video_channel where id = ${id} for no key update`
    return rows[0]?.accountId
  })

  const isLastChannel = Effect.fnUntraced(function* (accountId: number) {
    const rows = yield* sql`select 1 from video_channel where account_id = ${accountId} limit 2`
    return rows.length < 2
  })

  const create = Effect.fn("OwnershipRequests.create")(
    function* ({ initiatorAccountId, nextOwnerAccountId, ownerAccountId, thing }: NewOwnershipRequest) {
      // Held before the thing: accounts that are being deleted take no part.
      const accounts = new Set([initiatorAccountId, nextOwnerAccountId, ownerAccountId])
      const held = yield* sql`select id from account where ${sql.in("id", [...accounts])} order by id for key share`
      if (held.length < accounts.size || (yield* ownerOf(thing)) !== ownerAccountId) return "changed"
      if (thing.kind === "channel" && (yield* isLastChannel(ownerAccountId))) return "last"
      const column = thingColumn(sql, thing.kind)
      const rows = yield* sql`
        insert into ownership_change (initiator_account_id, next_owner_account_id, ${column})
        values (${initiatorAccountId}, ${nextOwnerAccountId}, ${thing.id})
        on conflict (${column}) where state = 1 do nothing returning id
      `
      if (rows.length === 0) return "exists"
      yield* recordOwnership(
        sql,
        thing,
        initiatorAccountId,
        ChannelActivityAction.sendOwnershipRequest,
        nextOwnerAccountId
      )
      return "made"
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  /** Ends a request that waits: the statement says how, and gives a row when it was still waiting. */
  const end = (action: ChannelActivityAction, statement: (id: number) => Fragment) =>
    Effect.fnUntraced(
      function* (kind: OwnedKind, request: OwnershipRequest, accountId: number) {
        const thing: Owned = { kind, id: request.thingId }
        if ((yield* ownerOf(thing)) === undefined) return false
        const rows = yield* sql`${statement(request.id)} and state = 1 returning id`
        if (rows.length === 0) return false
        yield* recordOwnership(sql, thing, accountId, action, request.nextOwnerAccountId)
        return true
      },
      sql.withTransaction,
      withDatabaseErrors
    )

  return OwnershipRequests.of({
    sentTo,
    about,
    find,
    create,
    refuse: end(
      ChannelActivityAction.refuseOwnershipRequest,
      (id) => sql`update ownership_change set state = 2, updated_at = now() where id = ${id}`
    ),
    withdraw: end(
      ChannelActivityAction.deleteOwnershipRequest,
      (id) => sql`delete from ownership_change where id = ${id}`
    )
  })
})

type Ended = (
  kind: OwnedKind,
  request: OwnershipRequest,
  accountId: number
) => Effect.Effect<boolean, DatabaseUnavailable>

/** Requests to take over videos and channels. Lists are `{"total":…,"data":[…]}` as JSON text (contract: ChangeOwnership). */
export class OwnershipRequests extends Context.Service<
  OwnershipRequests,
  {
    /** Those an account was asked to answer, whatever became of them. */
    readonly sentTo: (
      kind: OwnedKind,
      accountId: number,
      page: ListPage<"createdAt">
    ) => Effect.Effect<string, DatabaseUnavailable>
    readonly about: (
      thing: Owned,
      state: OwnershipState | null,
      page: ListPage<"createdAt">
    ) => Effect.Effect<string, DatabaseUnavailable>
    readonly find: (kind: OwnedKind, id: number) => Effect.Effect<Option.Option<OwnershipRequest>, DatabaseUnavailable>
    readonly create: (request: NewOwnershipRequest) => Effect.Effect<RequestMade, DatabaseUnavailable>
    /** Refused by this account. False when the request does not wait any more. */
    readonly refuse: Ended
    /** Taken back by this account. False when the request does not wait any more. */
    readonly withdraw: Ended
  }
>()("@kinora/storage/ownership/OwnershipRequests") {
  static readonly layer = Layer.effect(OwnershipRequests, make)
}
