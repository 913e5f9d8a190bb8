import { Effect, type Scope } from "effect"
import { mkdir, readdir, rm, statfs } from "node:fs/promises"
import { join } from "node:path"

/** Folders for work that is under way, inside one folder of their own. */
export interface TemporaryFolders {
  /** Makes an empty folder and returns its path. The folder is removed when the scope closes. */
  readonly make: (name: string) => Effect.Effect<string, never, Scope.Scope>
  /** Free bytes of the disk, less `reserve`. */
  readonly free: Effect.Effect<number>
}

const remove = (path: string) => rm(path, { recursive: true, force: true })

/**
 * Makes the folder at `directory`, and empties it: a process that was killed may have left files there. The folder itself may be a
 * mount point, so it is never removed.
 *
 * @param reserve bytes that are to stay free
 */
export const makeTemporaryFolders = Effect.fnUntraced(function* (
  directory: string,
  reserve = 0
): Effect.fn.Return<TemporaryFolders> {
  yield* Effect.promise(async () => {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    for (const name of await readdir(directory)) await remove(join(directory, name))
  })
  return {
    make: (name) =>
      Effect.acquireRelease(
        Effect.promise(async () => {
          const folder = join(directory, name)
          await remove(folder)
          await mkdir(folder, { recursive: true, mode: 0o700 })
          return folder
        }),
        (folder) => Effect.promise(() => remove(folder))
      ),
    free: Effect.map(
      Effect.promise(() => statfs(directory)),
      ({ bavail, bsize }) => bavail * bsize - reserve
    )
  }
})
