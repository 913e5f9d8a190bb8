import { readFile } from "node:fs/promises"
import { hostname } from "node:os"
import { kill, pid } from "node:process"
import { Option, Schema } from "effect"

/** Who holds a folder. The start time distinguishes a process from a later one of the same id; only Linux has it. */
export const FolderOwner = Schema.Struct({
  host: Schema.String,
  pid: Schema.Int,
  startedAt: Schema.NullOr(Schema.String)
})
export type FolderOwner = typeof FolderOwner.Type

export const encodeOwner = Schema.encodeSync(Schema.fromJsonString(FolderOwner))
const decode = Schema.decodeUnknownOption(Schema.fromJsonString(FolderOwner))

/** What a lock file says; undefined for one that a crash left unreadable. */
export const decodeOwner = (text: string): FolderOwner | undefined => Option.getOrUndefined(decode(text))

/** Field 22 of /proc/PID/stat, counted behind the name, which may hold anything (proc(5)). */
const startOf = (id: number): Promise<string | null> =>
  readFile(`/proc/${id}/stat`, "utf8").then(
    (text) => text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? null,
    () => null
  )

export const thisProcess = async (): Promise<FolderOwner> => ({ host: hostname(), pid, startedAt: await startOf(pid) })

const isAlive = (id: number): boolean => {
  try {
    return kill(id, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** Whether a process of this machine still runs. */
export const isRunning = async (owner: FolderOwner): Promise<boolean> =>
  isAlive(owner.pid) && (owner.startedAt === null || owner.startedAt === (await startOf(owner.pid)))
