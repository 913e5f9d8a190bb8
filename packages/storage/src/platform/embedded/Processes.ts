import { Effect } from "effect"
import { readdir, readFile, readlink } from "node:fs/promises"
import { kill } from "node:process"

const exists = (pid: number): boolean => {
  try {
    return kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** State of a process from proc(5): `Z` has ended and waits to be reaped. Linux only. */
const stateOf = (pid: number): Promise<string | undefined> =>
  readFile(`/proc/${pid}/stat`, "utf8").then(
    (text) => text.charAt(text.lastIndexOf(")") + 2),
    () => undefined
  )

/** Whether the process runs. One that has ended does not count, even if it was not reaped yet. */
export const isAlive = (pid: number): Effect.Effect<boolean> =>
  Effect.promise(async () => exists(pid) && (await stateOf(pid)) !== "Z")

/** Whether the process has ended, but keeps its id because it was not reaped. */
export const isZombie = (pid: number): Effect.Effect<boolean> =>
  Effect.promise(async () => exists(pid) && (await stateOf(pid)) === "Z")

/** Number of processes whose working directory is the folder, as for PostgreSQL and its data directory. */
export const workingIn = (folder: string): Effect.Effect<number> =>
  Effect.promise(async () => {
    const ids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name))
    const folders = await Promise.all(ids.map((id) => readlink(`/proc/${id}/cwd`).catch(() => undefined)))
    return folders.filter((path) => path === folder).length
  })
