import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { RunnerLadders } from "@kinora/storage/runner/RunnerLadders"
import { Context, Effect, Layer, Option, Schema, type Scope, Semaphore } from "effect"
import { mkdir, readdir, rm, stat, statfs } from "node:fs/promises"
import { join } from "node:path"
import { UploadSettings } from "../../video/staging/UploadSettings.ts"

/** What only the instance knows of the job of a part. */
export const PartSecret = Schema.Struct({
  videoUUID: Schema.String,
  /** The file that was cut. */
  source: Schema.String,
  /** Name of the cut. */
  cut: Schema.String.check(Schema.isPattern(/^\d+\/[0-9a-f-]{36}\.nut$/))
})
export type PartSecret = typeof PartSecret.Type

const decodeSecret = Schema.decodeUnknownOption(PartSecret)

/** Cuts of sources, from when the work is given out until it is handed in: a folder a ladder, named by its job. */
export class PartFiles extends Context.Service<
  PartFiles,
  {
    /** Absolute path of a cut by its name. */
    readonly path: (cut: string) => string
    /** What a job of this type is to encode; none when the job is no part. */
    readonly cutOf: (job: { readonly privatePayload: unknown }) => Option.Option<string>
    /**
     * An empty folder for the cuts of a ladder; undefined when there is no room for so many bytes. What is not written of them
     * yet is nobody else's room until the scope ends. Folders outlive it.
     */
    readonly open: (jobId: number, bytes: number) => Effect.Effect<string | undefined, never, Scope.Scope>
    /** Removes cuts by their paths. */
    readonly remove: (paths: ReadonlyArray<string>) => Effect.Effect<void>
    readonly removeAll: (jobId: number) => Effect.Effect<void>
    /** Removes what nobody needs any more. */
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

      /** Bytes that ladders which are being cut were promised, by their folders. */
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

      /** What is still to be written of what others were promised. */
      const outstanding = async () => {
        let bytes = 0
        for (const [folder, most] of promised) bytes += Math.max(0, most - (await weigh(folder)))
        return bytes
      }

      // One after the other: two that look at the same room would both find it free.
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
