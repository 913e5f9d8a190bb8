import { Forbidden } from "@kinora/domain/errors/AuthErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { BulkScope } from "@kinora/domain/requests/CommentRequests"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { withDatabaseErrors } from "@kinora/storage/platform/database/Database"
import { CommentRows, type CommentsOf } from "@kinora/storage/social/comment/CommentRows"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { AuditTrail } from "../../platform/audit/AuditTrail.ts"
import { mayRemoveIn } from "./CommentRights.ts"

/** Type of the jobs that delete what is left of somebody's comments. */
export const removalJobType = "remove-comments"

/** Which comments: those that were there when it was asked for. */
export const RemovalPayload = Schema.Struct({
  accountId: Schema.Int,
  below: Schema.NullOr(Schema.Struct({ accountId: Schema.Int, collaborations: Schema.Boolean })),
  upTo: Schema.Int
})
export type RemovalPayload = typeof RemovalPayload.Type

/** Comments deleted in one transaction. */
const batch = 200

/** How many workers may die at one. */
const maxCrashes = 5

/** Deletes all comments of an account. */
export class CommentRemovals extends Context.Service<
  CommentRemovals,
  {
    /** Those of an account where the user asks for it: the first at once, the others by a job. */
    readonly removeAllOf: (
      user: CurrentUserShape,
      accountId: number,
      scope: BulkScope
    ) => Effect.Effect<void, Forbidden | DatabaseUnavailable>
    /** Some of those that are left; false: there are none. */
    readonly more: (payload: RemovalPayload) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/node/social/comment/CommentRemovals") {
  static readonly layer = Layer.effect(
    CommentRemovals,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rows = yield* CommentRows
      const jobs = yield* JobBoard
      const audit = yield* AuditTrail

      const some = Effect.fnUntraced(function* ({ accountId, below, upTo }: RemovalPayload) {
        const which: CommentsOf = { accountId, below: below ?? undefined, upTo }
        const ids = yield* rows.of(which, batch)
        yield* rows.remove(ids)
        return ids.length === batch
      })

      const more = (payload: RemovalPayload) => withDatabaseErrors(sql.withTransaction(some(payload)))

      const begin = Effect.fnUntraced(function* (payload: RemovalPayload) {
        if (!(yield* some(payload))) return
        yield* jobs.enqueue({ type: removalJobType, payload, maxAttempts: maxCrashes })
      })

      const removeAllOf = Effect.fn("CommentRemovals.removeAllOf")(function* (
        user: CurrentUserShape,
        accountId: number,
        scope: BulkScope
      ) {
        if (!mayRemoveIn(scope, user)) {
          return yield* new Forbidden({ reason: "Only moderators may delete comments below the videos of others" })
        }
        const everywhere = scope === "instance"
        const below = everywhere
          ? null
          : { accountId: user.accountId, collaborations: scope === "my-videos-and-collaborations" }
        const payload = { accountId, below, upTo: yield* rows.last }
        yield* audit.actFor(
          everywhere ? user : undefined,
          () => ({ domain: "comment", action: "delete-all", target: { accountId } }),
          withDatabaseErrors(sql.withTransaction(begin(payload)))
        )
      })

      return CommentRemovals.of({ removeAllOf, more })
    })
  )
}
