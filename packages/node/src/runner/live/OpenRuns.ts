import { Context, Effect, Layer, type Scope } from "effect"
import type { RunChunks } from "./RunChunks.ts"

/** Runs of this process whose segments come from runners, by the UUIDs of their jobs. */
export class OpenRuns extends Context.Service<
  OpenRuns,
  {
    /** Segments of the job are taken until the scope closes. */
    readonly open: (uuid: string, chunks: RunChunks) => Effect.Effect<void, never, Scope.Scope>
    readonly find: (uuid: string) => RunChunks | undefined
    readonly uuids: Effect.Effect<ReadonlyArray<string>>
  }
>()("@kinora/node/runner/live/OpenRuns") {
  static readonly layer = Layer.sync(OpenRuns, () => {
    const runs = new Map<string, RunChunks>()
    return OpenRuns.of({
      open: (uuid, chunks) =>
        Effect.acquireRelease(
          Effect.sync(() => void runs.set(uuid, chunks)),
          () => Effect.sync(() => void runs.delete(uuid))
        ),
      find: (uuid) => runs.get(uuid),
      uuids: Effect.sync(() => [...runs.keys()])
    })
  })
}
