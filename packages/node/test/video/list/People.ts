import type { UserRole } from "@kinora/domain/enums/UserRole"
import { Context, Effect, Layer } from "effect"
import { login } from "../../instance/about/Client.ts"
import { rootPassword, testNode } from "../../instance/about/TestNode.ts"
import { Users } from "../../../src/people/user/Users.ts"

const password = "password1"

const add = Effect.fnUntraced(function* (username: string, role: UserRole) {
  yield* (yield* Users).create({ username, email: `${username}@example.com`, password, role })
  return (yield* login(username, password)).access_token
})

/** Access tokens of an owner and another user, a moderator and the administrator of the suite's node. */
export class People extends Context.Service<
  People,
  { readonly owner: string; readonly other: string; readonly moderator: string; readonly administrator: string }
>()("@kinora/node/test/videos/People") {
  static readonly layer = Layer.effect(
    People,
    Effect.all({
      owner: add("owner", 2),
      other: add("other", 2),
      moderator: add("moderator", 1),
      administrator: Effect.map(login("root", rootPassword), (token) => token.access_token)
    })
  )
}

/** A node with these people. */
export const peopledNode = People.layer.pipe(Layer.provideMerge(testNode()))

export type Person = "anonymous" | "owner" | "other" | "moderator" | "administrator"
