import { type Json, toJson } from "@kinora/domain/wire/Json"
import type { Follow } from "@kinora/domain/wire/Follow"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { actorInFull, type ActorRow } from "../../people/actor/ActorJson.ts"
import { actorRows } from "../../people/actor/ActorTexts.ts"
import { limit } from "../../platform/database/JsonPage.ts"
import { textPage } from "../../platform/database/TextPage.ts"

interface FollowRow {
  readonly id: number
  readonly followerId: number
  readonly followingId: number
  readonly score: number
  readonly state: Follow["state"]
  readonly createdAt: string
  readonly updatedAt: string
}

type MaybeFollow = { readonly total: number } & (FollowRow | { readonly id: null })

const isFollow = (row: MaybeFollow): row is MaybeFollow & FollowRow => row.id !== null

const followActor = (row: ActorRow) => ({ id: row.actorId, ...actorInFull(row) })

/** A follow (contract: Follow); undefined when one of both is gone meanwhile. */
const follow = (row: FollowRow, actors: ReadonlyMap<number, ActorRow>): Json<Follow> | undefined => {
  const follower = actors.get(row.followerId)
  const following = actors.get(row.followingId)
  if (follower === undefined || following === undefined) return undefined
  return toJson({
    id: row.id,
    follower: followActor(follower),
    following: followActor(following),
    score: row.score,
    state: row.state,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt
  } satisfies typeof Follow.Encoded)
}

/**
 * One page of follows as JSON text (contract: ActorFollow), with their total.
 *
 * @param from `from actor_follow f …` with its conditions
 * @param order what it is ordered by; never equal for two rows
 */
export const followPage = Effect.fnUntraced(function* (
  sql: SqlClient,
  from: Fragment,
  order: Fragment,
  page: { readonly start: number; readonly count: number }
) {
  const rows = yield* sql<MaybeFollow>`
    select t.total, p.* from (select count(*) as total ${from}) t left join (
      select f.id, f.actor_id as "followerId", f.target_actor_id as "followingId", f.score, f.state,
        wire_time(f.created_at) as "createdAt", wire_time(f.updated_at) as "updatedAt",
        row_number() over (order by ${order}) as position ${from}
      order by ${order} ${limit(sql, page)}
    ) p on true order by p.position`
  const follows = rows.filter(isFollow)
  const actors = yield* actorRows(sql, [...new Set(follows.flatMap((row) => [row.followerId, row.followingId]))])
  return textPage<Follow>(
    rows[0]?.total ?? 0,
    follows.map((row) => follow(row, actors))
  )
})
