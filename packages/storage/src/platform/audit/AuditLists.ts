import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../database/DatabaseErrors.ts"
import type { AuditEntry } from "./AuditLog.ts"

type Facts = Readonly<Record<string, unknown>> | null

/** An entry as it was recorded. */
export interface RecordedEntry extends Pick<AuditEntry, "username" | "domain" | "action"> {
  readonly createdAt: Date
  readonly target: Facts
  readonly before: Facts
  readonly after: Facts
}

/** At most this many entries are listed. */
const most = 10_000

/** Entries of the audit log. */
export class AuditLists extends Context.Service<
  AuditLists,
  {
    /** Entries of a span, the newest first. */
    readonly list: (
      from: Date | undefined,
      to: Date | undefined
    ) => Effect.Effect<ReadonlyArray<RecordedEntry>, DatabaseUnavailable>
  }
>()("@kinora/storage/audit/AuditLists") {
  static readonly layer = Layer.effect(
    AuditLists,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const list = Effect.fn("AuditLists.list")(function* (from: Date | undefined, to: Date | undefined) {
        return yield* sql<RecordedEntry>`
          select created_at as "createdAt", username, domain, action, target, before, after from audit_entry
          where (${from ?? null}::timestamptz is null or created_at >= ${from ?? null}::timestamptz)
            and (${to ?? null}::timestamptz is null or created_at <= ${to ?? null}::timestamptz)
          order by created_at desc, id desc limit ${most}
        `
      }, withDatabaseErrors)
      return AuditLists.of({ list })
    })
  )
}
