import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { ask } from "../comment/Talk.ts"

/** Reports something and gives the id of the report; dies when it is refused. */
export const report = Effect.fn("report")(function* (token: string, body: object) {
  const answer = yield* ask("POST", "/abuses", token, { reason: "Not nice", ...body })
  if (answer.status !== 200) return yield* Effect.die(`${answer.status} ${answer.text}`)
  return answer.json.abuse.id as number
})

const page = Effect.fnUntraced(function* (path: string, token: string) {
  const answer = yield* ask("GET", path, token)
  assert.strictEqual(answer.status, 200, answer.text)
  return answer.json as {
    readonly total: number
    // oxlint-disable-next-line typescript/no-explicit-any -- answers are compared field by field
    readonly data: ReadonlyArray<any>
  }
})

export const abuses = (token: string, query = "") => page(`/abuses${query}`, token)
export const myAbuses = (token: string, query = "") => page(`/users/me/abuses${query}`, token)
export const messages = (token: string, abuse: number) => page(`/abuses/${abuse}/messages`, token)

/** Ids of a list, in its order. */
export const idsOf = ({ data }: { readonly data: ReadonlyArray<{ readonly id: number }> }) => data.map(({ id }) => id)

/** Writes a message and gives its id; dies when it is refused. */
export const write = Effect.fn("write")(function* (token: string, abuse: number, message: string) {
  const answer = yield* ask("POST", `/abuses/${abuse}/messages`, token, { message })
  if (answer.status !== 200) return yield* Effect.die(`${answer.status} ${answer.text}`)
  return answer.json.abuseMessage.id as number
})

/** Row id of a user's account. */
export const accountOf = Effect.fn("accountOf")(function* (username: string) {
  const sql = yield* SqlClient
  const rows = yield* sql<{ id: number }>`
    select a.id from account a join app_user u on u.id = a.user_id where u.username = ${username}`
  return rows[0]!.id
}, Effect.orDie)

/** Deletes all reports. */
export const noReports = Effect.flatMap(SqlClient, (sql) => sql`delete from abuse`).pipe(Effect.orDie)
