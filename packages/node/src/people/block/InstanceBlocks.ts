import { type ActorHandle, writtenHandle } from "@kinora/domain/ids/ActorHandle"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { Context, Effect, Layer } from "effect"
import { AuditTrail } from "../../platform/audit/AuditTrail.ts"
import { Blocks, type BlockRefusal } from "./Blocks.ts"

type Done = Effect.Effect<void, BlockRefusal>

/** Mutes accounts and instances for everybody, as moderators do. Each change has its entry in the audit log. */
export class InstanceBlocks extends Context.Service<
  InstanceBlocks,
  {
    readonly blockAccount: (user: CurrentUserShape, handle: ActorHandle) => Done
    readonly unblockAccount: (user: CurrentUserShape, handle: ActorHandle) => Done
    readonly blockServer: (user: CurrentUserShape, host: string) => Done
    readonly unblockServer: (user: CurrentUserShape, host: string) => Done
  }
>()("@kinora/node/people/block/InstanceBlocks") {
  static readonly layer = Layer.effect(
    InstanceBlocks,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const blocks = yield* Blocks

      /** What was blocked before stays so, and leaves no entry. */
      const recorded = (
        user: CurrentUserShape,
        action: string,
        target: Readonly<Record<string, unknown>>,
        work: Effect.Effect<boolean, BlockRefusal>
      ): Done =>
        Effect.asVoid(
          audit.act(user, (changed) => (changed ? { domain: "server-blocklist", action, target } : undefined), work)
        )

      return InstanceBlocks.of({
        blockAccount: (user, handle) =>
          recorded(user, "block-account", { account: writtenHandle(handle) }, blocks.blockAccount("instance", handle)),
        unblockAccount: (user, handle) =>
          recorded(
            user,
            "unblock-account",
            { account: writtenHandle(handle) },
            blocks.unblockAccount("instance", handle)
          ),
        blockServer: (user, host) => recorded(user, "block-server", { host }, blocks.blockServer("instance", host)),
        unblockServer: (user, host) =>
          recorded(user, "unblock-server", { host }, blocks.unblockServer("instance", host))
      })
    })
  )
}
