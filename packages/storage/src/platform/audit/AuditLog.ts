import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../database/DatabaseErrors.ts"

/** An act of administration. Values are plain JSON and never hold a secret: no password, no token, no key. */
export interface AuditEntry {
  /** Who did it; null: the operator, in a shell. */
  readonly username: string | null
  /** What it was about: `settings`, `user`, `video-block` … */
  readonly domain: string
  /** What was done: `create`, `update`, `delete`, `block` … */
  readonly action: string
  /** What names the thing: ids and names. */
  readonly target?: Readonly<Record<string, unknown>>
  readonly before?: Readonly<Record<string, unknown>>
  readonly after?: Readonly<Record<string, unknown>>
}

/** An entry as it was recorded. */
export interface RecordedEntry extends Required<AuditEntry> {
  readonly createdAt: Date
}

/** At most this many entries are listed. */
const most = 10_000

/** What was done by whom, for administrators to look up. */
export class AuditLog extends Context.Service<
  AuditLog,
  {
    /** Adds an entry, in the transaction that the caller has open. */
    readonly record: (entry: AuditEntry) => Effect.Effect<void, DatabaseUnavailable>
    /** Entries of a span, the newest first. */
    readonly list: (
      from: Date | undefined,
      to: Date | undefined
    ) => Effect.Effect<ReadonlyArray<RecordedEntry>, DatabaseUnavailable>
    /** Deletes entries older than some days, in bounded batches. Returns their number. */
    readonly removeOld: (days: number) => Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/storage/audit/AuditLog") {
  static readonly layer = Layer.effect(
    AuditLog,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const json = (value: Readonly<Record<string, unknown>> | undefined) =>
        value === undefined ? null : JSON.stringify(value)

      const record = Effect.fn("AuditLog.record")(function* (entry: AuditEntry) {
        yield* sql`
          insert into audit_entry (username, domain, action, target, before, after)
          values (${entry.username}, ${entry.domain}, ${entry.action}, ${json(entry.target)}::jsonb,
            ${json(entry.before)}::jsonb, ${json(entry.after)}::jsonb)
        `
      }, withDatabaseErrors)

      const list = Effect.fn("AuditLog.list")(function* (from: Date | undefined, to: Date | undefined) {
        return yield* sql<RecordedEntry>`
          select created_at as "createdAt", username, domain, action, target, before, after from audit_entry
          where (${from ?? null}::timestamptz is null or created_at >= ${from ?? null}::timestamptz)
            and (${to ?? null}::timestamptz is null or created_at <= ${to ?? null}::timestamptz)
          order by created_at desc, id desc limit ${most}
        `
      }, withDatabaseErrors)

      const removeOld = Effect.fn("AuditLog.removeOld")(function* (days: number) {
        const rows = yield* sql`
          delete from audit_entry where id in (
            select id from audit_entry where created_at < now() - make_interval(days => ${days}) order by created_at limit 1000
          ) returning id
        `
        return rows.length
      }, withDatabaseErrors)

      return AuditLog.of({ record, list, removeOld })
    })
  )
}
