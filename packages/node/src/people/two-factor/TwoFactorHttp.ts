import { CurrentPasswordForbidden, Forbidden } from "@kinora/domain/errors/AuthErrors"
import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import { UserNotFound } from "@kinora/domain/errors/ActorErrors"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { TwoFactorRows } from "@kinora/storage/people/two-factor/TwoFactorRows"
import { Effect, Option } from "effect"
import { FeedTokens } from "../session/FeedTokens.ts"
import { type Answers, answer, json } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { CurrentPassword } from "../session/CurrentPassword.ts"
import { isRoot, mayOnUser, type UserAction } from "../rights/UserRights.ts"
import { TwoFactorSetup } from "./TwoFactorSetup.ts"

/** Answers with secrets must not be cached. */
const notStored = { headers: { "cache-control": "no-store" } }

/** Second factors, and tokens of private feeds. */
export const layer = apiGroup(
  "twoFactor",
  Effect.fnUntraced(function* (handlers) {
    const rows = yield* TwoFactorRows
    const setup = yield* TwoFactorSetup
    const passwords = yield* CurrentPassword
    const feeds = yield* FeedTokens

    /** Refuses a client that may not do this to the user in the path. Returns whether the client is that user. */
    const permitted = Effect.fnUntraced(function* (action: UserAction, userId: number) {
      const asker = yield* CurrentUser
      const target = yield* rows.of(userId)
      if (Option.isNone(target)) return yield* new UserNotFound()
      if (!mayOnUser(asker, action, { id: userId, role: target.value.role, isRoot: isRoot(target.value) })) {
        return yield* new Forbidden({
          reason: "Only the user can do this, or an administrator where it is about others"
        })
      }
      return asker.id === userId
    })

    const checkPassword = Effect.fnUntraced(function* (userId: number, password: string | undefined) {
      if (password === undefined || password === "") {
        return yield* InvalidParameters.one("currentPassword", "Must be given", "body")
      }
      if (!(yield* passwords.check(userId, password))) return yield* new CurrentPasswordForbidden()
    })

    const feedToken = Effect.fnUntraced(function* (action: "get" | "renew") {
      const user = yield* CurrentUser
      return json({ feedToken: yield* feeds[action](user.id) }, notStored)
    })

    return handlers.handleAll({
      requestTwoFactor: ({ params, payload }) =>
        answer(
          Effect.gen(function* () {
            const isSelf = yield* permitted("enableTwoFactor", params.id)
            if (isSelf) yield* checkPassword(params.id, payload.currentPassword)
            return json([{ otpRequest: yield* setup.request(params.id) }], notStored)
          })
        ),
      confirmTwoFactorRequest: ({ params, payload }) =>
        answer(
          Effect.gen(function* () {
            yield* permitted("enableTwoFactor", params.id)
            const { tokenId } = yield* CurrentUser
            yield* setup.confirm(params.id, payload.requestToken, payload.otpToken, tokenId)
          })
        ),
      disableTwoFactor: ({ params, payload }) =>
        answer(
          Effect.gen(function* () {
            const isSelf = yield* permitted("disableTwoFactor", params.id)
            if (isSelf) yield* checkPassword(params.id, payload.currentPassword)
            yield* setup.disable(params.id)
          })
        ),
      getScopedTokens: () => answer(feedToken("get")),
      renewScopedTokens: () => answer(feedToken("renew"))
    } satisfies Answers<"twoFactor">)
  })
)
