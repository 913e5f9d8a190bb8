import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { UploadSessions } from "@kinora/storage/video/upload/UploadSessions"
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { UploadDisk } from "../staging/UploadDisk.ts"
import { UploadSettings } from "../staging/UploadSettings.ts"

/** Removes uploads that have expired, and files whose upload is gone. */
export class UploadSweeper extends Context.Service<
  UploadSweeper,
  {
    /** One round; gives how many uploads went. */
    readonly sweep: Effect.Effect<number, DatabaseUnavailable>
    /** On start: frees what earlier runs of this node had reserved for forms. */
    readonly takeBack: Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/node/uploads/UploadSweeper") {
  static readonly layer = Layer.effect(
    UploadSweeper,
    Effect.gen(function* () {
      const sessions = yield* UploadSessions
      const disk = yield* UploadDisk
      const settings = yield* UploadSettings
      const orphanAge = Duration.toMillis(settings.orphanAge)
      /** When each file without an upload was first seen. */
      let orphans = new Map<string, number>()
      const sweep = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const expired = yield* sessions.removeExpired
        for (const id of expired) yield* disk.remove(id)
        // Files first: an upload that begins between the two looks has its row by the second.
        const present = yield* disk.ids
        const known = yield* sessions.ids
        const unknown = [...present].filter((id) => !known.has(id))
        orphans = new Map(unknown.map((id) => [id, orphans.get(id) ?? now]))
        for (const [id, since] of orphans) if (now - since >= orphanAge) yield* disk.remove(id)
        return expired.length
      }).pipe(Effect.withSpan("UploadSweeper.sweep"))
      const takeBack = Effect.gen(function* () {
        for (const id of yield* sessions.removeHeld(settings.holder)) yield* disk.remove(id)
      }).pipe(Effect.withSpan("UploadSweeper.takeBack"))
      return UploadSweeper.of({ sweep, takeBack })
    })
  )
}
