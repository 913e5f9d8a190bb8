import { InvalidToken } from "@kinora/domain/errors/AuthErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { FeedTokenRows } from "@kinora/storage/people/session/FeedTokenRows"
import { Context, Effect, Layer, Option } from "effect"
import { randomUUID } from "node:crypto"
import { SecretBox } from "../../platform/secrets/SecretBox.ts"
import { hashToken } from "./TokenHash.ts"

const longestToken = 100

/**
 * Tokens in the URLs of private feeds (contract: ScopedToken; random UUIDs). Each user has one. It is stored sealed,
 * because it is shown again, and as a digest, to find the user by.
 */
export class FeedTokens extends Context.Service<
  FeedTokens,
  {
    /** The user's token. Created on the first request, or when the key that sealed it is lost. */
    readonly get: (userId: number) => Effect.Effect<string, InvalidToken | DatabaseUnavailable>
    /** Replaces the token. The former one stops working. */
    readonly renew: (userId: number) => Effect.Effect<string, InvalidToken | DatabaseUnavailable>
    /** The user whose feeds a token opens. None for an unknown token or a blocked user. */
    readonly userOf: (token: string) => Effect.Effect<Option.Option<number>, DatabaseUnavailable>
  }
>()("@kinora/node/feeds/FeedTokens") {
  static readonly layer = Layer.effect(
    FeedTokens,
    Effect.gen(function* () {
      const rows = yield* FeedTokenRows
      const box = yield* SecretBox

      const open = (sealed: string) => Effect.option(box.open(sealed, "feed token"))

      const write = Effect.fnUntraced(function* (userId: number, former: string | null) {
        const token = randomUUID()
        const stored = { sealed: box.seal(token, "feed token"), hash: hashToken(token) }
        return (yield* rows.replace(userId, former, stored)) ? Option.some(token) : Option.none<string>()
      })

      const get = Effect.fn("FeedTokens.get")(function* (userId: number) {
        const former = Option.getOrNull(yield* rows.sealed(userId))
        const known = former === null ? Option.none<string>() : yield* open(former)
        if (Option.isSome(known)) return known.value
        const made = yield* write(userId, former)
        if (Option.isSome(made)) return made.value
        // Another request created one first, or the user was deleted after the token of the request was checked.
        const winner = yield* Effect.flatMap(rows.sealed(userId), (sealed) =>
          Option.isNone(sealed) ? Effect.succeedNone : open(sealed.value)
        )
        return Option.isSome(winner) ? winner.value : yield* new InvalidToken()
      })

      const renew = Effect.fn("FeedTokens.renew")(function* (userId: number) {
        const made = yield* write(userId, Option.getOrNull(yield* rows.sealed(userId)))
        // Another request renewed it meanwhile: that token is new enough.
        return Option.isSome(made) ? made.value : yield* get(userId)
      })

      const userOf = Effect.fn("FeedTokens.userOf")(function* (token: string) {
        if (token.length > longestToken) return Option.none<number>()
        return yield* rows.userOf(hashToken(token))
      })

      return FeedTokens.of({ get, renew, userOf })
    })
  )
}
