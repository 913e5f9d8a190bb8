import { UserNotFound } from "@kinora/domain/errors/ActorErrors"
import { Forbidden, TokenSessionNotFound } from "@kinora/domain/errors/AuthErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { TokenSession } from "@kinora/domain/wire/Session"
import { LoginRows } from "@kinora/storage/people/session/LoginRows"
import { type SessionPage, TokenRows } from "@kinora/storage/people/session/TokenRows"
import { Context, Effect, Layer, Option } from "effect"
import { AuditTrail } from "../../platform/audit/AuditTrail.ts"
import { isRoot, mayOnUser } from "../rights/UserRights.ts"
import { AccessTokens } from "./AccessTokens.ts"

/** The sessions of users, for the users themselves and for administrators. */
export class Sessions extends Context.Service<
  Sessions,
  {
    readonly list: (
      asker: CurrentUserShape,
      userId: number,
      page: SessionPage
    ) => Effect.Effect<
      { readonly total: number; readonly data: ReadonlyArray<TokenSession> },
      UserNotFound | Forbidden | DatabaseUnavailable
    >
    /** Ends a session, which may be that of the request. */
    readonly revoke: (
      asker: CurrentUserShape,
      userId: number,
      tokenId: number
    ) => Effect.Effect<void, UserNotFound | Forbidden | TokenSessionNotFound | DatabaseUnavailable>
  }
>()("@kinora/node/sessions/Sessions") {
  static readonly layer = Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const logins = yield* LoginRows
      const rows = yield* TokenRows
      const tokens = yield* AccessTokens
      const audit = yield* AuditTrail

      const decide = Effect.fnUntraced(function* (asker: CurrentUserShape, userId: number) {
        const facts = yield* logins.facts(userId)
        if (Option.isNone(facts)) return yield* new UserNotFound()
        if (mayOnUser(asker, "sessions", { ...facts.value, isRoot: isRoot(facts.value) })) return
        return yield* new Forbidden({ reason: "These sessions belong to another user" })
      })

      const list = Effect.fn("Sessions.list")(function* (asker: CurrentUserShape, userId: number, page: SessionPage) {
        yield* decide(asker, userId)
        const { data, total } = yield* rows.list(userId, page)
        return {
          total,
          data: data.map(({ id, ...session }) => ({ id, currentSession: id === asker.tokenId, ...session }))
        }
      })

      const revoke = Effect.fn("Sessions.revoke")(function* (asker: CurrentUserShape, userId: number, tokenId: number) {
        yield* decide(asker, userId)
        const revoked = tokens.revokeOf(userId, tokenId)
        const entry = { domain: "session", action: "revoke", target: { userId, sessionId: tokenId } }
        const done = asker.id === userId ? revoked : audit.act(asker, (it) => (it ? entry : undefined), revoked)
        if (!(yield* done)) return yield* new TokenSessionNotFound()
      })

      return Sessions.of({ list, revoke })
    })
  )
}
