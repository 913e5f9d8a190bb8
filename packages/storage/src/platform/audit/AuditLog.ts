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

/** Characters of a value that are kept: a stylesheet of an instance would make the log hard to read. */
const longest = 10_000

/** A text as `jsonb` takes it, no longer than `longest`. */
const kept = (_name: string, value: unknown): unknown => {
  if (typeof value !== "string") return value
  const text = value.length > longest ? `${value.slice(0, longest)}…` : value
  return text.replaceAll("\0", "").toWellFormed()
}

/** Notes what is done by whom, for administrators to look up (`AuditLists`). */
export class AuditLog extends Context.Service<
  AuditLog,
  {
    /** Adds an entry, in the transaction that the caller has open. Long texts are cut. */
    readonly record: (entry: AuditEntry) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/audit/AuditLog") {
  static readonly layer = Layer.effect(
    AuditLog,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const json = (value: Readonly<Record<string, unknown>> | undefined) =>
        value === undefined ? null : JSON.stringify(value, kept)

      const record = Effect.fn("AuditLog.record")(function* (entry: AuditEntry) {
        yield* sql`
          insert into audit_entry (username, domain, action, target, before, after)
          values (${entry.username}, ${entry.domain}, ${entry.action}, ${json(entry.target)}::jsonb,
            ${json(entry.before)}::jsonb, ${json(entry.after)}::jsonb)
        `
      }, withDatabaseErrors)

      return AuditLog.of({ record })
    })
  )
}
