import { Schema } from "effect"
import { field, optional, type Reader } from "../fields/Field.ts"
import { listOf, nullable } from "../fields/Readers.ts"
import { rowId, userFields } from "./UserFields.ts"

/** Users that one request may name. */
const mostUsersAtOnce = 100

const message = `Must be the ids of 1 to ${mostUsersAtOnce} users`
const user = rowId("a user")
const users = listOf(user, message)

/** Row ids of users, each once. */
export const userIds: Reader<ReadonlyArray<number>> = {
  message,
  documented: { type: "array", items: user.documented, minItems: 1, maxItems: mostUsersAtOnce },
  parse: (input) => {
    const found = users.parse(input)
    const once = found === undefined ? [] : [...new Set(found)]
    return once.length > 0 && once.length <= mostUsersAtOnce ? once : undefined
  }
}

/** Body of `POST /users/bulk/block`. */
export const BlockUsers = Schema.Struct({ userIds: field(userIds), reason: optional(nullable(userFields.blockReason)) })

/** Body of `POST /users/bulk/unblock` and `POST /users/bulk/delete`. */
export const SomeUsers = Schema.Struct({ userIds: field(userIds) })
