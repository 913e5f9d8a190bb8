import { Api } from "@kinora/domain/api/Api"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../platform/http/Answer.ts"
import { UserImportReads } from "./UserImportReads.ts"

/** What became of archives that were brought. */
export const layer = HttpApiBuilder.group(
  Api,
  "userImports",
  Effect.fnUntraced(function* (handlers) {
    const imports = yield* UserImportReads
    return handlers.handleAll({
      getLatestUserImport: ({ params }) =>
        answer(Effect.flatMap(CurrentUser, (user) => imports.latest(user, params.userId)))
    })
  })
)
