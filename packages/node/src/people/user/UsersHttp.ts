import { UserNotFound } from "@kinora/domain/errors/ActorErrors"
import { defaultPage } from "@kinora/domain/requests/Pagination"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { UserReads } from "@kinora/storage/people/user/UserReads"
import { Effect, Option } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { type Answers, answer } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { BulkUsers } from "./BulkUsers.ts"
import { UserAdministration } from "./UserAdministration.ts"
import { UserCreation } from "./UserCreation.ts"
import { userWire } from "./UserWire.ts"

const newestFirst = { by: "createdAt", descending: true } as const

/**
 * The endpoints that manage users. The API's middleware has checked that the client is an administrator or moderator.
 */
export const layer = apiGroup(
  "users",
  Effect.fnUntraced(function* (handlers) {
    const config = yield* KinoraConfig
    const users = yield* UserReads
    const creation = yield* UserCreation
    const administration = yield* UserAdministration
    const bulk = yield* BulkUsers
    return handlers.handleAll({
      getUsers: ({ query }) =>
        answer(
          Effect.map(users.list({ ...defaultPage, sort: newestFirst, ...query }), ({ data, total }) => ({
            total,
            data: data.map((row) => userWire(row, config, false))
          }))
        ),
      getUser: ({ params, query }) =>
        answer(
          Effect.gen(function* () {
            const row = yield* users.byId(params.id)
            if (Option.isNone(row)) return yield* new UserNotFound()
            return userWire(row.value, config, query.withStats ?? false)
          })
        ),
      addUser: ({ payload }) =>
        answer(
          Effect.gen(function* () {
            const created = yield* creation.create(yield* CurrentUser, payload)
            return { user: { id: created.userId, account: { id: created.accountId } } }
          })
        ),
      putUser: ({ params, payload }) =>
        answer(Effect.flatMap(CurrentUser, (asker) => administration.update(asker, params.id, payload))),
      delUser: ({ params }) => answer(Effect.flatMap(CurrentUser, (asker) => administration.remove(asker, params.id))),
      postUsersBlock: ({ params, payload }) =>
        answer(Effect.flatMap(CurrentUser, (asker) => administration.block(asker, params.id, payload.reason ?? null))),
      postUsersUnblock: ({ params }) =>
        answer(Effect.flatMap(CurrentUser, (asker) => administration.unblock(asker, params.id))),
      postUsersBulkBlock: ({ payload }) =>
        answer(Effect.flatMap(CurrentUser, (asker) => bulk.block(asker, payload.userIds, payload.reason ?? null))),
      postUsersBulkUnblock: ({ payload }) =>
        answer(Effect.flatMap(CurrentUser, (asker) => bulk.unblock(asker, payload.userIds))),
      postUsersBulkDelete: ({ payload }) =>
        answer(Effect.flatMap(CurrentUser, (asker) => bulk.remove(asker, payload.userIds))),
      autocompleteUsernames: ({ query }) => answer(users.names(query.search))
    } satisfies Answers<"users">)
  })
)
