import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { RunnerLadders } from "@kinora/storage/runners/RunnerLadders"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { mkdir, readdir, rm, statfs } from "node:fs/promises"
import { join } from "node:path"
import { UploadSettings } from "../../uploads/UploadSettings.ts"

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
    /** An empty folder for the cuts of a ladder; undefined when there is no room for so many bytes. */
    readonly open: (jobId: number, bytes: number) => Effect.Effect<string | undefined>
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

      const open = Effect.fn("PartFiles.open")(function* (jobId: number, bytes: number) {
        const folder = join(root, String(jobId))
        yield* removeAll(jobId)
        return yield* Effect.promise(async () => {
          await mkdir(folder, { recursive: true, mode: 0o700 })
          const { bavail, bsize } = await statfs(folder)
          if (bavail * bsize >= bytes + reserveDisk) return folder
          await rm(folder, { recursive: true, force: true })
          return undefined
        })
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
