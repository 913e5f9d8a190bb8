import { Effect } from "effect"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import type { Configuration } from "../config/Configuration.ts"
import { exists } from "./Exists.ts"

/** The first file in the folder or below it, undefined when there is none. */
const firstFile = async (folder: string): Promise<string | undefined> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return []
    throw error
  })
  for (const entry of entries) {
    const path = join(folder, entry.name)
    const found = entry.isDirectory() ? await firstFile(path) : path
    if (found !== undefined) return found
  }
  return undefined
}

/** A file that only an instance with a database can have left: something that was uploaded or made of it. */
export const existingFile = ({ storage }: Configuration): Effect.Effect<string | undefined> =>
  Effect.promise(async () => {
    for (const folder of [
      storage.original_video_files,
      storage.web_videos,
      storage.streaming_playlists,
      storage.thumbnails,
      storage.avatars,
      storage.captions
    ]) {
      const file = await firstFile(folder)
      if (file !== undefined) return file
    }
    return undefined
  })

/** The same, or its secret key. */
export const existingData = (config: Configuration): Effect.Effect<string | undefined> => {
  const key = join(config.derived.dataDir, "secret.key")
  return Effect.flatMap(
    Effect.promise(() => exists(key)),
    (isThere) => (isThere ? Effect.succeed(key) : existingFile(config))
  )
}
