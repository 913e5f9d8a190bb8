import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { Effect } from "effect"
import { type Answers, answer } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { UserImportReads } from "./UserImportReads.ts"

/** The endpoints of user imports. */
export const layer = apiGroup(
  "userImports",
  Effect.fnUntraced(function* (handlers) {
    const imports = yield* UserImportReads
    return handlers.handleAll({
      getLatestUserImport: ({ params }) =>
        answer(Effect.flatMap(CurrentUser, (user) => imports.latest(user, params.userId)))
    } satisfies Answers<"userImports">)
  })
)
