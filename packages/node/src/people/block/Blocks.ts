import type { AccountNotFound } from "@kinora/domain/errors/ActorErrors"
import { BlockNotFound, BlockRefused } from "@kinora/domain/errors/BlockErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ActorHandle } from "@kinora/domain/ids/ActorHandle"
import { type Blocker, BlockRows } from "@kinora/storage/people/block/BlockRows"
import { Context, Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { KnownAccounts } from "../account/KnownAccounts.ts"

export type BlockRefusal = AccountNotFound | BlockNotFound | BlockRefused | DatabaseUnavailable

/** Mutes accounts and instances, for one user or for the whole instance. */
export class Blocks extends Context.Service<
  Blocks,
  {
    /** One that is blocked stays blocked: false. Nobody blocks themselves. */
    readonly blockAccount: (blocker: Blocker, handle: ActorHandle) => Effect.Effect<boolean, BlockRefusal>
    readonly unblockAccount: (blocker: Blocker, handle: ActorHandle) => Effect.Effect<boolean, BlockRefusal>
    /** Any host but this instance's own. False: it was blocked before. */
    readonly blockServer: (blocker: Blocker, host: string) => Effect.Effect<boolean, BlockRefusal>
    readonly unblockServer: (blocker: Blocker, host: string) => Effect.Effect<boolean, BlockRefusal>
  }
>()("@kinora/node/people/block/Blocks") {
  static readonly layer = Layer.effect(
    Blocks,
    Effect.gen(function* () {
      const accounts = yield* KnownAccounts
      const rows = yield* BlockRows
      const ownHost = new URL((yield* KinoraConfig).derived.origin).host

      const orNotFound = Effect.fnUntraced(function* (removed: Effect.Effect<boolean, DatabaseUnavailable>) {
        return (yield* removed) ? true : yield* new BlockNotFound()
      })

      return Blocks.of({
        blockAccount: Effect.fn("Blocks.blockAccount")(function* (blocker, handle) {
          const outcome = yield* rows.blockAccount(blocker, yield* accounts.find(handle))
          if (outcome === "self") return yield* new BlockRefused({ reason: "Nobody can mute themselves" })
          return outcome === "added"
        }),
        unblockAccount: Effect.fn("Blocks.unblockAccount")(function* (blocker, handle) {
          return yield* orNotFound(rows.unblockAccount(blocker, yield* accounts.find(handle)))
        }),
        blockServer: Effect.fn("Blocks.blockServer")(function* (blocker, host) {
          if (host === ownHost) return yield* new BlockRefused({ reason: "This instance cannot be muted" })
          return (yield* rows.blockServer(blocker, host)) === "added"
        }),
        unblockServer: Effect.fn("Blocks.unblockServer")((blocker, host) =>
          orNotFound(rows.unblockServer(blocker, host))
        )
      })
    })
  )
}
