import { Api } from "@kinora/domain/api/Api"
import { InvalidToken } from "@kinora/domain/errors/AuthErrors"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { MyUserRows } from "@kinora/storage/users/MyUserRows"
import { Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { KinoraConfig } from "../config/Config.ts"
import { answer } from "../http/Answer.ts"
import { myUserWire } from "./MyUserWire.ts"

/** The user who asks. */
export const layer = HttpApiBuilder.group(
  Api,
  "myUser",
  Effect.fnUntraced(function* (handlers) {
    const config = yield* KinoraConfig
    const rows = yield* MyUserRows
    return handlers.handleAll({
      getUserInfo: () =>
        answer(
          Effect.gen(function* () {
            const user = yield* CurrentUser
            const row = yield* rows.byId(user.id)
            // The user was deleted after the token was checked.
            if (Option.isNone(row)) return yield* new InvalidToken()
            return myUserWire(row.value, config)
          })
        )
    })
  })
)
