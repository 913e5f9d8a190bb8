import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { UserRole } from "@kinora/domain/enums/UserRole"
import { login, send } from "../../instance/about/Client.ts"
import { rootPassword } from "../../instance/about/TestNode.ts"
import { Users } from "../../../src/people/user/Users.ts"

export const password = "password1"

/** Sends a request as the bearer of a token; text goes as it is, everything else as JSON. */
export const call = (method: string, path: string, token?: string, body?: unknown) =>
  send(`/api/v1/users${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" })
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
  })

export const tokenOf = (username: string, secret = password) =>
  Effect.map(login(username, secret), (token) => token.access_token)

export const rootToken = tokenOf("root", rootPassword)

/** A user made past the API, with their id and an access token. */
export const enrol = Effect.fn("enrol")(function* (username: string, role: UserRole = 2) {
  const { accountId, channelId, userId } = yield* Effect.flatMap(Users, (users) =>
    users.create({ username, email: `${username}@example.com`, password, role })
  )
  return { id: userId, accountId, channelId, token: yield* tokenOf(username) }
})

/** What a new user is asked for with. */
export const asked = (username: string, more: Readonly<Record<string, unknown>> = {}) => ({
  username,
  email: `${username}@example.com`,
  password,
  role: 2,
  ...more
})

/** Whether a token opens anything. */
export const isIn = (token: string) => Effect.map(call("GET", "/me", token), ({ status }) => status === 200)

/** Kinds of the mails that wait, oldest first. */
export const mails = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ kind: string }>`
    select payload ->> 'kind' as kind from job where type = 'email' order by id`
  return rows.map(({ kind }) => kind)
})
