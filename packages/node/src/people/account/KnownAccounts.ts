import { AccountNotFound } from "@kinora/domain/errors/ActorErrors"
import { Forbidden } from "@kinora/domain/errors/AuthErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ActorHandle } from "@kinora/domain/ids/ActorHandle"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { AccountLists } from "@kinora/storage/people/account/AccountLists"
import { Context, Effect, Layer, Option } from "effect"
import { type AccountAction, mayOnAccount } from "./AccountRights.ts"

/** Looks up accounts by handle. */
export class KnownAccounts extends Context.Service<
  KnownAccounts,
  {
    /** Row id of the account a handle names. */
    readonly find: (handle: ActorHandle) => Effect.Effect<number, AccountNotFound | DatabaseUnavailable>
    /** The same, if the user of the request may see that part of it. */
    readonly open: (
      handle: ActorHandle,
      action: AccountAction
    ) => Effect.Effect<number, AccountNotFound | Forbidden | DatabaseUnavailable, CurrentUser>
  }
>()("@kinora/node/accounts/KnownAccounts") {
  static readonly layer = Layer.effect(
    KnownAccounts,
    Effect.gen(function* () {
      const lists = yield* AccountLists

      const find = Effect.fnUntraced(function* (handle: ActorHandle) {
        const id = yield* lists.idOf(handle)
        return Option.isNone(id) ? yield* new AccountNotFound() : id.value
      })

      const open = Effect.fnUntraced(function* (handle: ActorHandle, action: AccountAction) {
        const id = yield* find(handle)
        const user = yield* CurrentUser
        if (mayOnAccount(user, action, id)) return id
        return yield* new Forbidden({ reason: `User ${user.username} may not see this of another account` })
      })

      return KnownAccounts.of({ find, open })
    })
  )
}
