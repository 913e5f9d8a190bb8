import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { Effect } from "effect"
import { type Answers, answer } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { UserExports } from "./UserExports.ts"

/** The endpoints of user exports. */
export const layer = apiGroup(
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
    } satisfies Answers<"userExports">)
  })
)
