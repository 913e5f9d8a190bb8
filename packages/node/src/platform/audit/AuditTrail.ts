import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { isOperator } from "@kinora/domain/users/Operator"
import type { Around } from "@kinora/storage/platform/audit/Around"
import { type AuditEntry, AuditLog } from "@kinora/storage/platform/audit/AuditLog"
import { withDatabaseErrors } from "@kinora/storage/platform/database/DatabaseErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type AuditedValues, difference } from "./Difference.ts"

/** What is done, for its entry in the audit log. An act that gives `false` did nothing, and leaves no entry. */
export interface AuditedAct extends Omit<AuditEntry, "username" | "before" | "after"> {
  /**
   * Reads what the act changes. It is read before and after the act, and the entry keeps the members that differ. An act
   * that changes none of them leaves no entry.
   */
  readonly values?: Effect.Effect<AuditedValues, DatabaseUnavailable>
}

/** What was done, as far as only its result shows it. Undefined: nothing was done that needs an entry. */
export type AuditedResult<A> = (result: A) => Entry | undefined

/** Who acts: the user of a request, or the operator. */
export type Asker = Pick<CurrentUserShape, "id" | "username">

type Entry = Omit<AuditEntry, "username">

/** A change that needs no entry. */
export const unaudited: Around = (change) => change

/** Does acts of administration with their entries in the audit log: both or neither. */
export class AuditTrail extends Context.Service<
  AuditTrail,
  {
    readonly act: <A, E, R>(
      user: Asker,
      about: AuditedAct | AuditedResult<A>,
      work: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | DatabaseUnavailable, R>
    /**
     * The same for what people may do in their own name or in the instance's, which alone has an entry. `moderator` undefined:
     * somebody does it in their own name.
     */
    readonly actFor: <A, E, R>(
      moderator: Asker | undefined,
      about: AuditedResult<A>,
      work: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | DatabaseUnavailable, R>
    /** The same for a change that somebody else makes, such as the last step of storing a file. */
    readonly around: (user: Asker, about: AuditedAct) => Around
    /** Adds an entry in the transaction that the caller has open. */
    readonly record: (user: Asker, entry: Entry) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/node/platform/audit/AuditTrail") {
  static readonly layer = Layer.effect(
    AuditTrail,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const log = yield* AuditLog

      const record = (user: Asker, entry: Entry) =>
        log.record({ username: isOperator(user) ? null : user.username, ...entry })

      const inTransaction = <A, E, R>(work: Effect.Effect<A, E, R>) =>
        withDatabaseErrors(sql.withTransaction(work)) as Effect.Effect<A, E | DatabaseUnavailable, R>

      const observed = <A, E, R>(user: Asker, { values, ...entry }: AuditedAct, work: Effect.Effect<A, E, R>) =>
        Effect.gen(function* () {
          if (values === undefined) {
            return yield* Effect.tap(work, (result) => (result === false ? Effect.void : record(user, entry)))
          }
          const before = yield* values
          const result = yield* work
          const changed = difference(before, yield* values)
          if (changed !== undefined) yield* record(user, { ...entry, ...changed })
          return result
        })

      const reported = <A, E, R>(user: Asker, about: AuditedResult<A>, work: Effect.Effect<A, E, R>) =>
        Effect.tap(work, (result) => {
          const entry = about(result)
          return entry === undefined ? Effect.void : record(user, entry)
        })

      const act = <A, E, R>(user: Asker, about: AuditedAct | AuditedResult<A>, work: Effect.Effect<A, E, R>) =>
        inTransaction(typeof about === "function" ? reported(user, about, work) : observed(user, about, work))

      return AuditTrail.of({
        act,
        actFor: (moderator, about, work) => (moderator === undefined ? work : act(moderator, about, work)),
        around: (user, about) => (change) => inTransaction(observed(user, about, change)),
        record
      })
    })
  ).pipe(Layer.provide(AuditLog.layer))
}
