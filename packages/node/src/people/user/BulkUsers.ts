import type { UserNotFound } from "@kinora/domain/errors/ActorErrors"
import type { Forbidden, InvalidToken, PasswordConfirmationRequired } from "@kinora/domain/errors/AuthErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { BulkUserOutcomes } from "@kinora/domain/wire/User"
import { Context, Effect, Layer } from "effect"
import { UserAdministration } from "./UserAdministration.ts"

type Refused = InvalidToken | PasswordConfirmationRequired | DatabaseUnavailable
type Outcome = BulkUserOutcomes["data"][number]
type Done = Effect.Effect<BulkUserOutcomes, Refused>

/** Does the same to some users, each in a transaction of its own: what cannot be done to one is done to the others. */
export class BulkUsers extends Context.Service<
  BulkUsers,
  {
    readonly block: (asker: CurrentUserShape, ids: ReadonlyArray<number>, reason: string | null) => Done
    readonly unblock: (asker: CurrentUserShape, ids: ReadonlyArray<number>) => Done
    readonly remove: (asker: CurrentUserShape, ids: ReadonlyArray<number>) => Done
  }
>()("@kinora/node/people/user/BulkUsers") {
  static readonly layer = Layer.effect(
    BulkUsers,
    Effect.gen(function* () {
      const administration = yield* UserAdministration

      const each = (
        ids: ReadonlyArray<number>,
        act: (id: number) => Effect.Effect<void, Refused | UserNotFound | Forbidden>
      ): Done =>
        Effect.map(
          Effect.forEach(ids, (id) =>
            act(id).pipe(
              Effect.as<Outcome>({ id, done: true }),
              Effect.catchTags({
                UserNotFound: () => Effect.succeed<Outcome>({ id, done: false, detail: "User not found" }),
                Forbidden: ({ reason }) => Effect.succeed<Outcome>({ id, done: false, detail: reason })
              })
            )
          ),
          (data) => ({ data })
        )

      return BulkUsers.of({
        block: Effect.fn("BulkUsers.block")((asker, ids, reason) =>
          each(ids, (id) => administration.block(asker, id, reason))
        ),
        unblock: Effect.fn("BulkUsers.unblock")((asker, ids) => each(ids, (id) => administration.unblock(asker, id))),
        remove: Effect.fn("BulkUsers.remove")((asker, ids) => each(ids, (id) => administration.remove(asker, id)))
      })
    })
  )
}
