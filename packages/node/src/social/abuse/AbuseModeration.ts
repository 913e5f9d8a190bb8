import { AbuseNotFound } from "@kinora/domain/errors/AbuseErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { AbuseListQuery, AbuseUpdate } from "@kinora/domain/requests/AbuseRequests"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { AdminAbuse } from "@kinora/domain/wire/Abuse"
import { withDatabaseErrors } from "@kinora/storage/platform/database/DatabaseErrors"
import { AbuseLists } from "@kinora/storage/social/abuse/AbuseLists"
import { AbuseRows } from "@kinora/storage/social/abuse/AbuseRows"
import { NotificationEvents } from "@kinora/storage/social/notification/NotificationEvents"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { mayModerate, seesReportsAboutSelf } from "./AbuseRights.ts"
import { ModeratorActs } from "./ModeratorActs.ts"

/**
 * What moderators do with reports. The right is checked by the endpoints; reports about a moderator do not exist for them.
 * Each change is one transaction with what follows from it.
 */
export class AbuseModeration extends Context.Service<
  AbuseModeration,
  {
    readonly all: (
      user: CurrentUserShape,
      query: AbuseListQuery
    ) => Effect.Effect<{ readonly total: number; readonly data: ReadonlyArray<AdminAbuse> }, DatabaseUnavailable>
    /** Decides, notes a comment, or both. The reporter is notified of a decision. */
    readonly update: (
      user: CurrentUserShape,
      abuseId: number,
      change: AbuseUpdate
    ) => Effect.Effect<void, AbuseNotFound | DatabaseUnavailable>
    readonly remove: (
      user: CurrentUserShape,
      abuseId: number
    ) => Effect.Effect<void, AbuseNotFound | DatabaseUnavailable>
  }
>()("@kinora/node/social/abuse/AbuseModeration") {
  static readonly layer = Layer.effect(
    AbuseModeration,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const lists = yield* AbuseLists
      const rows = yield* AbuseRows
      const events = yield* NotificationEvents
      const acts = yield* ModeratorActs

      const locked = Effect.fnUntraced(function* (user: CurrentUserShape, abuseId: number) {
        const abuse = yield* rows.lock(abuseId)
        return Option.isSome(abuse) && mayModerate(abuse.value, user) ? abuse.value : yield* new AbuseNotFound()
      })

      const update = Effect.fn("AbuseModeration.update")(
        function* (user: CurrentUserShape, abuseId: number, change: AbuseUpdate) {
          const { moderationComment, state } = yield* locked(user, abuseId)
          const before = { state, moderationComment }
          const after = { ...before, ...change }
          if (after.state === state && after.moderationComment === moderationComment) return
          yield* rows.update(abuseId, change)
          if (after.state !== state) yield* events.record({ _tag: "AbuseStateChanged", abuseId, state: after.state })
          yield* acts.record(user, { action: "update", abuseId, before, after })
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const remove = Effect.fn("AbuseModeration.remove")(
        function* (user: CurrentUserShape, abuseId: number) {
          const before = yield* locked(user, abuseId)
          yield* rows.remove(abuseId)
          yield* acts.record(user, { action: "delete", abuseId, before })
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      return AbuseModeration.of({
        all: (user, query) => lists.all(user.accountId, !seesReportsAboutSelf(user), query),
        update,
        remove
      })
    })
  )
}
