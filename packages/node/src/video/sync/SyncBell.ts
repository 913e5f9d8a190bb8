import { Context, Effect, Layer, Queue } from "effect"

/** Tells the workers of this process that there may be a channel to look into; other processes see it in the database. */
export class SyncBell extends Context.Service<
  SyncBell,
  { readonly ring: Effect.Effect<void>; readonly rung: Effect.Effect<void> }
>()("@kinora/node/syncs/SyncBell") {
  static readonly layer = Layer.effect(
    SyncBell,
    Effect.map(Queue.sliding<void>(1), (bell) =>
      SyncBell.of({ ring: Effect.asVoid(Queue.offer(bell, undefined)), rung: Queue.take(bell) })
    )
  )
}
