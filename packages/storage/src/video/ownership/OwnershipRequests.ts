import { ChannelActivityAction } from "@kinora/domain/enums/ChannelActivity"
import type { OwnershipState } from "@kinora/domain/enums/OwnershipState"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { holdOwnersOf } from "../../people/collaborator/VideoActivities.ts"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { type Owned, type OwnedKind, recordOwnership, itemColumn } from "./OwnedItem.ts"

/** A request to transfer a video or channel. */
export interface OwnershipRequest {
  readonly id: number
  readonly state: OwnershipState
  readonly initiatorAccountId: number
  readonly nextOwnerAccountId: number
  /** The present owner of the video or channel. */
  readonly ownerAccountId: number
  /** Row id of the video or channel. */
  readonly itemId: number
}

export interface NewOwnershipRequest {
  readonly item: Owned
  readonly initiatorAccountId: number
  /** The owner when permission to give it was checked. */
  readonly ownerAccountId: number
  readonly nextOwnerAccountId: number
}

/**
 * Result of a new request: `exists` if one is already pending, `last` if the owner would have no channel left,
 * `changed` if the owner has changed or an account was deleted.
 */
export type RequestMade = "made" | "exists" | "last" | "changed"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient

  const find = Effect.fn("OwnershipRequests.find")(function* (kind: OwnedKind, id: number) {
    const rows = yield* sql<OwnershipRequest>`
      select o.id, o.state, o.initiator_account_id as "initiatorAccountId",
        o.next_owner_account_id as "nextOwnerAccountId", t.account_id as "ownerAccountId", t.id as "itemId"
      from ownership_change o join ${sql.literal(kind === "video" ? "video" : "video_channel")} t
        on t.id = o.${itemColumn(sql, kind)}
      where o.id = ${id}
    `
    return Option.fromUndefinedOr(rows[0])
  }, withDatabaseErrors)

  /** Locks the video or channel, channels before their videos, and returns its owner. Undefined if it was deleted. */
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
    function* ({ initiatorAccountId, nextOwnerAccountId, ownerAccountId, item }: NewOwnershipRequest) {
      // Locked before the video or channel. Accounts that are being deleted cannot take part.
      const accounts = new Set([initiatorAccountId, nextOwnerAccountId, ownerAccountId])
      const held = yield* sql`select id from account where ${sql.in("id", [...accounts])} order by id for key share`
      if (held.length < accounts.size || (yield* ownerOf(item)) !== ownerAccountId) return "changed"
      if (item.kind === "channel" && (yield* isLastChannel(ownerAccountId))) return "last"
      const column = itemColumn(sql, item.kind)
      const rows = yield* sql`
        insert into ownership_change (initiator_account_id, next_owner_account_id, ${column})
        values (${initiatorAccountId}, ${nextOwnerAccountId}, ${item.id})
        on conflict (${column}) where state = 1 do nothing returning id
      `
      if (rows.length === 0) return "exists"
      yield* recordOwnership(
        sql,
        item,
        initiatorAccountId,
        ChannelActivityAction.sendOwnershipRequest,
        nextOwnerAccountId
      )
      return "made"
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  /** Ends a pending request. The statement says how, and returns a row if the request was still pending. */
  const end = (action: ChannelActivityAction, statement: (id: number) => Fragment) =>
    Effect.fnUntraced(
      function* (kind: OwnedKind, request: OwnershipRequest, accountId: number) {
        const item: Owned = { kind, id: request.itemId }
        if ((yield* ownerOf(item)) === undefined) return false
        const rows = yield* sql`${statement(request.id)} and state = 1 returning id`
        if (rows.length === 0) return false
        yield* recordOwnership(sql, item, accountId, action, request.nextOwnerAccountId)
        return true
      },
      sql.withTransaction,
      withDatabaseErrors
    )

  return OwnershipRequests.of({
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

/** Requests to transfer videos and channels. */
export class OwnershipRequests extends Context.Service<
  OwnershipRequests,
  {
    readonly find: (kind: OwnedKind, id: number) => Effect.Effect<Option.Option<OwnershipRequest>, DatabaseUnavailable>
    readonly create: (request: NewOwnershipRequest) => Effect.Effect<RequestMade, DatabaseUnavailable>
    /** Refused by this account. False if the request is no longer pending. */
    readonly refuse: Ended
    /** Withdrawn by this account. False if the request is no longer pending. */
    readonly withdraw: Ended
  }
>()("@kinora/storage/ownership/OwnershipRequests") {
  static readonly layer = Layer.effect(OwnershipRequests, make)
}
