import { Effect } from "effect"
import { constants } from "node:fs"
import { access, mkdir, stat } from "node:fs/promises"
import { dirname } from "node:path"
import { type FolderUnusable, folderUnusable } from "./FolderUnusable.ts"

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return false
      throw error
    }
  )

/**
 * Makes the folder and those above it, each by a call of its own: `mkdir` with `recursive` tries for ever where the kernel
 * denies that the folder above exists, as below /proc.
 */
const make = async (folder: string): Promise<void> => {
  const missing: Array<string> = []
  for (let path = folder; !(await isThere(path)); path = dirname(path)) missing.unshift(path)
  for (const path of missing) {
    await mkdir(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error
    })
  }
  if (!(await stat(folder)).isDirectory()) throw Object.assign(new Error("a file"), { code: "ENOTDIR" })
  await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
}

/** Makes sure that the folder exists and can be written. */
export const usableFolder = (folder: string): Effect.Effect<void, FolderUnusable> =>
  Effect.tryPromise({ try: () => make(folder), catch: (cause) => folderUnusable(folder, cause) })
