import type { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { SqlClient } from "effect/sql/SqlClient"
import type { RunningNode } from "../RunningNode.ts"

/** Values of parameters of a path, by name. */
export type Values = Readonly<Record<string, string>>

export type Given<A> = Effect.Effect<A, SqlError, RunningNode | SqlClient>

/** How an administrator performs an operation, and the entry that it has to leave. */
export interface Act {
  /** Makes what the operation is about. It belongs to the user `user`, or to nobody. */
  readonly given?: Given<Values>
  /** JSON that is sent; it may need what was made. */
  readonly body?: unknown | ((values: Values) => unknown)
  /** Sends the request in another form than JSON. */
  readonly send?: (path: string, headers: Values, values: Values) => Promise<{ status: number; text: string }>
  /** Domain and action of the entry. */
  readonly entry: readonly [domain: string, action: string]
  /** Which values it has. */
  readonly has?: ReadonlyArray<"before" | "after">
}

export type Acts = Readonly<Record<string, Act>>

/** A form with a file, and other fields. */
export const form =
  (
    method: "POST" | "PUT",
    field: string,
    file: () => Promise<{ readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> }>,
    fields: Values = {}
  ) =>
  async (url: string, headers: Values) => {
    const { bytes, name } = await file()
    const body = new FormData()
    for (const [key, value] of Object.entries(fields)) body.append(key, value)
    body.append(field, new Blob([bytes]), name)
    const answer = await fetch(url, { method, headers, body })
    return { status: answer.status, text: await answer.text() }
  }
