import type { InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { mkdir, readdir, rm, stat, statfs } from "node:fs/promises"
import { join } from "node:path"
import { onDisk } from "../../platform/body/UploadFile.ts"
import { UploadSettings } from "./UploadSettings.ts"

const idPattern = /^[0-9a-f]{48}$/
const filePattern = /^([0-9a-f]{48})(?:-[a-z0-9-]+(?:\.[a-z0-9]+)?)?$/

/** Whether a text can be the id of an upload. Ids are made by us; only such texts come near a path. */
export const isUploadId = (text: string): boolean => idPattern.test(text)

/** Where the bytes of unfinished uploads lie: one file an upload, named after its id, and its pictures beside it. */
export class UploadDisk extends Context.Service<
  UploadDisk,
  {
    readonly path: (id: string) => string
    /** A file that belongs to the upload and goes with it, such as `thumbnail.jpg`. */
    readonly besides: (id: string, name: string) => string
    /** Bytes of the upload's file; 0 when there is none. */
    readonly size: (id: string) => Effect.Effect<number>
    /** Deletes everything of an upload. */
    readonly remove: (id: string) => Effect.Effect<void>
    /** Free bytes, less what must stay free. */
    readonly free: Effect.Effect<number>
    /** Ids that have files. */
    readonly ids: Effect.Effect<ReadonlySet<string>>
  }
>()("@kinora/node/uploads/UploadDisk") {
  static readonly layer: Layer.Layer<UploadDisk, InsufficientStorage, UploadSettings> = Layer.effect(
    UploadDisk,
    Effect.gen(function* () {
      const { directory, reserveDisk } = yield* UploadSettings
      yield* onDisk(() => mkdir(directory, { recursive: true, mode: 0o700 }))
      const names = Effect.promise(() => readdir(directory))
      const path = (id: string): string => {
        if (!isUploadId(id)) throw new Error(`Not the id of an upload: ${id}`)
        return join(directory, id)
      }
      return UploadDisk.of({
        path,
        besides: (id, name) => `${path(id)}-${name}`,
        size: Effect.fnUntraced(function* (id: string) {
          return yield* Effect.promise(() =>
            stat(path(id)).then(
              (found) => found.size,
              (cause: NodeJS.ErrnoException) => (cause.code === "ENOENT" ? 0 : Promise.reject(cause))
            )
          )
        }),
        remove: Effect.fn("UploadDisk.remove")(function* (id: string) {
          for (const name of yield* names) {
            if (filePattern.exec(name)?.[1] === id)
              yield* Effect.promise(() => rm(join(directory, name), { force: true }))
          }
        }, Effect.uninterruptible),
        free: Effect.map(
          Effect.promise(() => statfs(directory)),
          (found) => found.bavail * found.bsize - reserveDisk
        ),
        ids: Effect.map(
          names,
          (all) => new Set(all.map((name) => filePattern.exec(name)?.[1]).filter((id) => id !== undefined))
        )
      })
    })
  )
}
