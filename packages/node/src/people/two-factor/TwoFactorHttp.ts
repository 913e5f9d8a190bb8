import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { Effect } from "effect"
import { FeedTokens } from "../session/FeedTokens.ts"
import { type Answers, answer, json } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { Recovery } from "./Recovery.ts"
import { TwoFactorSetup } from "./TwoFactorSetup.ts"

/** Answers with secrets must not be cached. */
const notStored = { headers: { "cache-control": "no-store" } }

/** Second factors, and tokens of private feeds. */
export const layer = apiGroup(
  "twoFactor",
  Effect.fnUntraced(function* (handlers) {
    const setup = yield* TwoFactorSetup
    const feeds = yield* FeedTokens
    const recovery = yield* Recovery

    const feedToken = Effect.fnUntraced(function* (action: "get" | "renew") {
      const user = yield* CurrentUser
      return json({ feedToken: yield* feeds[action](user.id) }, notStored)
    })

    return handlers.handleAll({
      requestTwoFactor: ({ params, payload }) =>
        answer(
          Effect.gen(function* () {
            const otpRequest = yield* setup.request(yield* CurrentUser, params.id, payload.currentPassword)
            return json([{ otpRequest }], notStored)
          })
        ),
      confirmTwoFactorRequest: ({ params, payload }) =>
        answer(
          Effect.flatMap(CurrentUser, (asker) =>
            setup.confirm(asker, params.id, payload.requestToken, payload.otpToken)
          )
        ),
      disableTwoFactor: ({ params, payload }) =>
        answer(Effect.flatMap(CurrentUser, (asker) => setup.disable(asker, params.id, payload.currentPassword))),
      renewMyRecoveryCodes: ({ payload }) =>
        answer(
          Effect.gen(function* () {
            const { id } = yield* CurrentUser
            return json({ codes: yield* recovery.renew(id, payload.currentPassword) }, notStored)
          })
        ),
      getMyRecoveryCodes: () =>
        answer(
          Effect.map(
            Effect.flatMap(CurrentUser, ({ id }) => recovery.left(id)),
            (total) => ({ total })
          )
        ),
      getScopedTokens: () => answer(feedToken("get")),
      renewScopedTokens: () => answer(feedToken("renew"))
    } satisfies Answers<"twoFactor">)
  })
)
