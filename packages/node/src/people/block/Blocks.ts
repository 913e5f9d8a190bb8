import type { AccountNotFound } from "@kinora/domain/errors/ActorErrors"
import { BlockNotFound, BlockRefused } from "@kinora/domain/errors/BlockErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ActorHandle } from "@kinora/domain/ids/ActorHandle"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { type Blocked, type Blocker, BlockRows } from "@kinora/storage/people/block/BlockRows"
import { Context, Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { KnownAccounts } from "../account/KnownAccounts.ts"
import { InstanceActs } from "../moderation/InstanceActs.ts"

type Refusal = AccountNotFound | BlockNotFound | BlockRefused | DatabaseUnavailable

const domain = "blocklist"

const fullName = ({ host, name }: ActorHandle): string => (host === null ? name : `${name}@${host}`)

/** Mutes accounts and instances, for one user or for the whole instance, in whose name a moderator does it (`by`). */
export class Blocks extends Context.Service<
  Blocks,
  {
    /** One that is blocked stays blocked; nobody blocks themselves. */
    readonly blockAccount: (
      blocker: Blocker,
      handle: ActorHandle,
      by?: CurrentUserShape
    ) => Effect.Effect<void, Refusal>
    readonly unblockAccount: (
      blocker: Blocker,
      handle: ActorHandle,
      by?: CurrentUserShape
    ) => Effect.Effect<void, Refusal>
    /** Any host but this instance's own. */
    readonly blockServer: (blocker: Blocker, host: string, by?: CurrentUserShape) => Effect.Effect<void, Refusal>
    readonly unblockServer: (blocker: Blocker, host: string, by?: CurrentUserShape) => Effect.Effect<void, Refusal>
  }
>()("@kinora/node/people/block/Blocks") {
  static readonly layer = Layer.effect(
    Blocks,
    Effect.gen(function* () {
      const accounts = yield* KnownAccounts
      const rows = yield* BlockRows
      const acts = yield* InstanceActs
      const ownHost = new URL((yield* KinoraConfig).derived.origin).host

      const added = (target: Readonly<Record<string, string>>) => (outcome: Blocked) =>
        outcome === "added" ? { domain, action: "block", target } : undefined

      const removed = (target: Readonly<Record<string, string>>) => (gone: boolean) =>
        gone ? { domain, action: "unblock", target } : undefined

      const orNotFound = Effect.fnUntraced(function* (gone: Effect.Effect<boolean, DatabaseUnavailable>) {
        if (!(yield* gone)) return yield* new BlockNotFound()
      })

      return Blocks.of({
        blockAccount: Effect.fn("Blocks.blockAccount")(function* (blocker, handle, by) {
          const work = rows.blockAccount(blocker, yield* accounts.find(handle))
          const outcome = yield* acts.act(by, added({ account: fullName(handle) }), work)
          if (outcome === "self") return yield* new BlockRefused({ reason: "Nobody can mute themselves" })
        }),
        unblockAccount: Effect.fn("Blocks.unblockAccount")(function* (blocker, handle, by) {
          const work = rows.unblockAccount(blocker, yield* accounts.find(handle))
          yield* orNotFound(acts.act(by, removed({ account: fullName(handle) }), work))
        }),
        blockServer: Effect.fn("Blocks.blockServer")(function* (blocker, host, by) {
          if (host === ownHost) return yield* new BlockRefused({ reason: "This instance cannot be muted" })
          yield* acts.act(by, added({ host }), rows.blockServer(blocker, host))
        }),
        unblockServer: Effect.fn("Blocks.unblockServer")((blocker, host, by) =>
          orNotFound(acts.act(by, removed({ host }), rows.unblockServer(blocker, host)))
        )
      })
    })
  )
}
