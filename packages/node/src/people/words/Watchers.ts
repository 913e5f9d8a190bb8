import type { AccountNotFound } from "@kinora/domain/errors/ActorErrors"
import type { Forbidden } from "@kinora/domain/errors/AuthErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ActorHandle } from "@kinora/domain/ids/ActorHandle"
import type { CurrentUser, CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { InstanceAccount } from "@kinora/storage/people/account/InstanceAccount"
import { Context, Effect, Layer } from "effect"
import { KnownAccounts } from "../account/KnownAccounts.ts"

/** Whose words and tags these are. */
export interface Watcher {
  readonly accountId: number
  /** Who acts in the instance's name; undefined: it is the user's own account. */
  readonly moderator: CurrentUserShape | undefined
}

/** Finds whose words and tags a request is about. */
export class Watchers extends Context.Service<
  Watchers,
  {
    /** An account, for its own user alone. */
    readonly account: (
      handle: ActorHandle
    ) => Effect.Effect<Watcher, AccountNotFound | Forbidden | DatabaseUnavailable, CurrentUser>
    /** The instance. Who may is checked by the endpoints. */
    readonly instance: (moderator: CurrentUserShape) => Effect.Effect<Watcher, DatabaseUnavailable>
  }
>()("@kinora/node/people/words/Watchers") {
  static readonly layer = Layer.effect(
    Watchers,
    Effect.gen(function* () {
      const accounts = yield* KnownAccounts
      const { id } = yield* InstanceAccount

      return Watchers.of({
        account: (handle) =>
          Effect.map(accounts.open(handle, "watchedWords"), (accountId) => ({ accountId, moderator: undefined })),
        instance: (moderator) => Effect.map(id, (accountId) => ({ accountId, moderator }))
      })
    })
  )
}
