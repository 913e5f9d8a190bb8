import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { type AuditEntry, AuditLog } from "@kinora/storage/platform/audit/AuditLog"
import { withDatabaseErrors } from "@kinora/storage/platform/database/Database"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** What was done, for the audit log; undefined: nothing was. */
export type ActEntry<A> = (done: A) => Omit<AuditEntry, "username"> | undefined

/** Does what is done in the instance's name together with its entry in the audit log: both or neither. */
export class InstanceActs extends Context.Service<
  InstanceActs,
  {
    /** `by` undefined: somebody does it in their own name, which needs no entry. */
    readonly act: <A, E, R>(
      by: CurrentUserShape | undefined,
      entry: ActEntry<A>,
      work: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | DatabaseUnavailable, R>
  }
>()("@kinora/node/people/moderation/InstanceActs") {
  static readonly layer = Layer.effect(
    InstanceActs,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const audit = yield* AuditLog

      const recorded = <A, E, R>(by: CurrentUserShape, entry: ActEntry<A>, work: Effect.Effect<A, E, R>) =>
        withDatabaseErrors(
          sql.withTransaction(
            Effect.tap(work, (done) => {
              const act = entry(done)
              return act === undefined ? Effect.void : audit.record({ username: by.username, ...act })
            })
          )
        ) as Effect.Effect<A, E | DatabaseUnavailable, R>

      return InstanceActs.of({ act: (by, entry, work) => (by === undefined ? work : recorded(by, entry, work)) })
    })
  ).pipe(Layer.provide(AuditLog.layer))
}
