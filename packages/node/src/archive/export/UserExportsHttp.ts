import { Api } from "@kinora/domain/api/Api"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../platform/http/Answer.ts"
import { UserExports } from "./UserExports.ts"

/** Archives of users. */
export const layer = HttpApiBuilder.group(
  Api,
  "userExports",
  Effect.fnUntraced(function* (handlers) {
    const exports = yield* UserExports

    return handlers.handleAll({
      requestUserExport: ({ params, payload }) =>
        answer(
          Effect.gen(function* () {
            const id = yield* exports.request(yield* CurrentUser, params.userId, payload.withVideoFiles ?? false)
            return { export: { id } }
          })
        ),
      listUserExports: ({ params }) => answer(Effect.flatMap(CurrentUser, (user) => exports.list(user, params.userId))),
      deleteUserExport: ({ params }) =>
        answer(Effect.flatMap(CurrentUser, (user) => exports.remove(user, params.userId, params.id)))
    })
  })
)
