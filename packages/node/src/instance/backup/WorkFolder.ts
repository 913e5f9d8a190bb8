import { Effect } from "effect"
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { KinoraConfig } from "../../platform/config/Config.ts"

const prefix = "backup-"

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return false
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "ESRCH"
  }
}

/**
 * A folder below `storage.tmp` for files of a backup on their way. It goes with the scope; one of a process that was killed
 * goes when the next one is made.
 */
export const workFolder = Effect.gen(function* () {
  const { storage } = yield* KinoraConfig
  return yield* Effect.acquireRelease(
    Effect.promise(async () => {
      await mkdir(storage.tmp, { recursive: true, mode: 0o700 })
      for (const name of await readdir(storage.tmp)) {
        const pid = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1]
        if (pid !== undefined && isGone(Number(pid)))
          await rm(join(storage.tmp, name), { recursive: true, force: true })
      }
      return await mkdtemp(join(storage.tmp, `${prefix}${process.pid}-`))
    }),
    (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
  )
})
