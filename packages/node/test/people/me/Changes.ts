import { Effect } from "effect"
import { login, send } from "../../instance/about/Client.ts"
import { Users } from "../../../src/people/user/Users.ts"

const type = { "content-type": "application/json" }

/** A request with a JSON body. */
export const sendJson = (method: string, path: string, token: string, body: unknown) =>
  send(path, { method, headers: { ...type, authorization: `Bearer ${token}` }, body: JSON.stringify(body) })

export const password = "password1"

/** A new user of this name, logged in. */
export const newUser = Effect.fn("newUser")(function* (username: string) {
  yield* (yield* Users).create({ username, email: `${username}@example.com`, password, role: 2 })
  return (yield* login(username, password)).access_token
})
