import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { RunnerLadders } from "@kinora/storage/runner/RunnerLadders"
import { Context, Effect, Layer, Option, Schema, type Scope, Semaphore } from "effect"
import { mkdir, readdir, rm, stat, statfs } from "node:fs/promises"
import { join } from "node:path"
import { UploadSettings } from "../../video/staging/UploadSettings.ts"

/** Private payload of the job of a part: only the instance sees it. */
export const PartSecret = Schema.Struct({
  videoUUID: Schema.String,
  /** The file that was cut. */
  source: Schema.String,
  /** File name of the cut. */
  cut: Schema.String.check(Schema.isPattern(/^\d+\/[0-9a-f-]{36}\.nut$/))
})
export type PartSecret = typeof PartSecret.Type

const decodeSecret = Schema.decodeUnknownOption(PartSecret)

/**
 * Cuts of sources, from the time the jobs are created until their results are delivered. Each ladder has a folder,
 * named by its job.
 */
export class PartFiles extends Context.Service<
  PartFiles,
  {
    /** Absolute path of a cut. */
    readonly path: (cut: string) => string
    /** The cut that a job encodes. None if the job is not a part. */
    readonly cutOf: (job: { readonly privatePayload: unknown }) => Option.Option<string>
    /**
     * An empty folder for the cuts of a ladder. Undefined if the disk lacks space for that many bytes. Until the scope
     * closes, the space is reserved. The folder outlives the scope.
     */
    readonly open: (jobId: number, bytes: number) => Effect.Effect<string | undefined, never, Scope.Scope>
    /** Removes cuts by their paths. */
    readonly remove: (paths: ReadonlyArray<string>) => Effect.Effect<void>
    readonly removeAll: (jobId: number) => Effect.Effect<void>
    /** Removes cuts that are no longer needed. */
    readonly sweep: Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/node/runners/parts/PartFiles") {
  static readonly layer = Layer.effect(
    PartFiles,
    Effect.gen(function* () {
      const { directory, reserveDisk } = yield* UploadSettings
      const ladders = yield* RunnerLadders
      const root = join(directory, "runner-parts")

      const path = (cut: string) => join(root, cut)
      const cutOf = (job: { readonly privatePayload: unknown }) =>
        Option.map(decodeSecret(job.privatePayload), ({ cut }) => path(cut))
      const drop = (target: string) => Effect.promise(() => rm(target, { recursive: true, force: true }))
      const removeAll = (jobId: number) => drop(join(root, String(jobId)))

      /** Reserved bytes of ladders that are being cut, by folder. */
      const promised = new Map<string, number>()

      const weigh = async (folder: string) => {
        const names = await readdir(folder).catch(() => [])
        const sizes = await Promise.all(
          names.map((name) =>
            stat(join(folder, name)).then(
              ({ size }) => size,
              () => 0
            )
          )
        )
        return sizes.reduce((sum, size) => sum + size, 0)
      }

      /** Reserved bytes that are not written yet. */
      const outstanding = async () => {
        let bytes = 0
        for (const [folder, max] of promised) bytes += Math.max(0, max - (await weigh(folder)))
        return bytes
      }

      // One at a time: two ladders that check at once would both find the same space free.
      const turn = yield* Semaphore.make(1)

      const open = Effect.fn("PartFiles.open")(function* (jobId: number, bytes: number) {
        const folder = join(root, String(jobId))
        yield* removeAll(jobId)
        const promise = Effect.promise(async () => {
          await mkdir(folder, { recursive: true, mode: 0o700 })
          const { bavail, bsize } = await statfs(folder)
          if (bavail * bsize < bytes + reserveDisk + (await outstanding())) {
            await rm(folder, { recursive: true, force: true })
            return undefined
          }
          promised.set(folder, bytes)
          return folder
        })
        return yield* Effect.acquireRelease(turn.withPermits(1)(promise), (made) =>
          Effect.sync(() => void (made === undefined || promised.delete(made)))
        )
      })

      const sweep = Effect.gen(function* () {
        const names = yield* Effect.promise(() => readdir(root).catch(() => []))
        if (names.length === 0) return
        const needed = yield* ladders.unfinished(names.map(Number).filter(Number.isSafeInteger))
        for (const name of names) if (!needed.has(Number(name))) yield* drop(join(root, name))
      }).pipe(Effect.withSpan("PartFiles.sweep"))

      return PartFiles.of({
        path,
        cutOf,
        open,
        remove: (paths) => Effect.forEach(paths, drop, { discard: true }),
        removeAll,
        sweep
      })
    })
  )
}
